"""Programs find tools by words and read the stub of one."""

from __future__ import annotations

import ast

import pytest

from codemode.errors import UsageError
from codemode.sdk import describe_tool, search_tools
from tests.sdk.checking import STRING, Checker, tool

TOOLS = [
    tool("create_issue", description="Open a new issue.", title=STRING),
    tool("listIssues", description="All of them. In pages."),
    tool("get-user", description="Who someone is."),
    tool("send_mail", description="To a user. Not about an issue.", recipient=STRING),
    {
        **tool("gh_search", description="Find code.", query=STRING),
        "namespace": "github",
        "member": "search",
    },
]


def names(query: str, **options: int) -> list[str]:
    """What a query finds, in order."""
    return [found["name"] for found in search_tools(TOOLS, query, **options)]


def test_words_in_the_name_rank_before_words_in_the_description() -> None:
    """Names in any style are words; a plural is its singular; no match is not found."""
    assert ["create_issue", "listIssues", "send_mail"] == names("issue")
    assert ["create_issue", "listIssues", "send_mail"] == names("ISSUES")
    assert ["get-user", "send_mail"] == names("user")
    assert ["send_mail"] == names("recipient")
    assert [] == names("weather")


def test_more_words_rank_higher_and_the_limit_holds() -> None:
    """A tool that has both words comes before those that have one."""
    assert "send_mail" == names("mail user")[0]
    assert ["create_issue"] == names("issue", limit=1)
    assert [] == names("issue", limit=0)
    assert sorted(entry["name"] for entry in TOOLS) == names("")


def test_what_is_found_says_how_to_call_it() -> None:
    """Attributes, subscripts and namespaces, with the first sentence of the description."""
    calls = {found["name"]: found["call"] for found in search_tools(TOOLS, "")}

    assert "tools.create_issue" == calls["create_issue"]
    assert "tools['get-user']" == calls["get-user"]
    assert "github.search" == calls["gh_search"]
    assert "All of them" == search_tools(TOOLS, "list")[0]["summary"]


def test_a_description_is_the_stub_of_one_tool_by_name_or_by_call(mypy: Checker) -> None:
    """It parses, passes mypy, and knows of no other tool."""
    stub = describe_tool(TOOLS, "create_issue")

    assert stub == describe_tool(TOOLS, "tools.create_issue")
    assert "title: str" in stub
    assert "send_mail" not in stub
    assert {1} == set(
        mypy.complaints(stub, ["await tools.create_issue(title='x')", "await tools.listIssues()"])
    )
    ast.parse(describe_tool(TOOLS, "github.search"))


def test_an_unknown_name_is_answered_with_those_that_are_close() -> None:
    """Checklist 113: the error says what may have been meant."""
    with pytest.raises(UsageError, match="did you mean 'create_issue'"):
        describe_tool(TOOLS, "create_isue")


def test_a_query_of_any_length_is_answered_at_once() -> None:
    """Its first words count: the host looks for each in every tool while its programs wait.

    A million words, each looked for in a thousand tools, would take it an hour.
    """
    many = [{**TOOLS[0], "name": f"create_issue_{number}"} for number in range(1_000)]

    found = search_tools(many, "issue 999 " + " ".join(f"x{n}" for n in range(1_000_000)))

    assert "create_issue_999" == found[0]["name"]


def test_a_name_of_any_length_is_refused_at_once_and_in_few_words() -> None:
    """No tool can have been meant by it, and its megabytes are of no use to who reads."""
    with pytest.raises(UsageError, match=r"there is no tool 'x+; search for one") as refusal:
        describe_tool(TOOLS, "x" * 10_000_000)

    assert len(str(refusal.value)) < 300
