"""Every kind of syntax has a decision of the policy's own."""

from __future__ import annotations

import ast

import pytest
from RestrictedPython.transformer import RestrictingNodeTransformer

from codemode_guest.policy.findings import Finding
from codemode_guest.policy.transformer import Policy
from codemode_guest.policy.walk import Reading, Walk

#: Bases of others, and kinds that the grammar no longer makes.
_NEVER_MADE = {
    *("AST", "mod", "stmt", "expr", "expr_context", "boolop", "operator", "unaryop", "cmpop"),
    *("excepthandler", "pattern", "type_ignore", "type_param", "slice"),
    *("Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "Suite"),
    *("AugLoad", "AugStore", "Param"),
}

KINDS = sorted(
    name
    for name, kind in vars(ast).items()
    if isinstance(kind, type)
    and issubclass(kind, ast.AST)
    and not name.startswith("_")
    and name not in _NEVER_MADE
)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_node_has_a_visitor_of_the_policys(kind: str) -> None:
    """Whose docstring says what is allowed; none is left to RestrictedPython."""
    visitor = getattr(Policy, f"visit_{kind}", None)

    assert visitor is not None, f"decide on {kind}"
    assert visitor is not getattr(RestrictingNodeTransformer, f"visit_{kind}", None)
    assert visitor.__doc__.startswith(("Allowed", "Refused"))


def test_the_policy_has_no_visitor_for_what_is_not_there() -> None:
    """A misspelled one would never be called; those of later Pythons are known by name."""
    of_later_versions = {"TemplateStr", "Interpolation", "TypeAlias", "TypeVar", "ParamSpec"}
    of_later_versions |= {"TypeVarTuple", "TryStar"}
    visited = {
        name.removeprefix("visit_")
        for cls in Policy.__mro__
        if cls.__module__.startswith("codemode_guest")
        for name in vars(cls)
        if name.startswith("visit_")
    }
    methods_of_the_walk = {"list", "fields", "expression", "annotation"}

    assert visited - set(KINDS) - of_later_versions - methods_of_the_walk == set()


def _findings(node: ast.AST) -> list[Finding]:
    policy = Policy(Reading(source_lines=("x = 1",)))
    policy.visit(node)
    return policy.findings


def test_syntax_of_a_later_python_is_refused() -> None:
    """As a statement, as an expression, and as an operator."""

    class Later(ast.expr):
        pass

    class Spaceship(ast.operator):
        pass

    tree = ast.parse("x = 1 + 2")
    assign = tree.body[0]
    assert isinstance(assign, ast.Assign)
    assert isinstance(assign.value, ast.BinOp)
    assign.value.op = Spaceship()
    assign.targets.append(Later(lineno=1, col_offset=0))
    tree.body.append(Later(lineno=1, col_offset=0))  # type: ignore[arg-type]  # a stand-in

    assert [finding.reason for finding in _findings(tree)] == [
        "Spaceship is not in this language",
        "Later is not in this language",
        "Later is not in this language",
    ]


@pytest.mark.parametrize(
    "node",
    [
        ast.parse("x", mode="single"),
        ast.parse("x", mode="eval"),
        ast.parse("() -> int", mode="func_type"),
        ast.TypeIgnore(lineno=1, tag=""),
    ],
    ids=lambda node: type(node).__name__,
)
def test_what_other_modes_of_the_parser_make_is_refused(node: ast.AST) -> None:
    """A program is a module."""
    kind = type(node).__name__

    assert getattr(Policy, f"visit_{kind}") is Walk.generic_visit
    assert _findings(node)[0].reason == f"{kind} is not in this language"
