"""Servers as tools: what a program gets of them, and what it is told when one fails."""

from __future__ import annotations

from contextlib import ExitStack

import anyio
import pytest

from codemode.adapters.mcp import McpServers, UnknownServerError
from codemode.session import Entry, Event, Noted, Session, ToolProgressed
from codemode.tools import ImagePart, ToolCallError, ToolRegistry
from tests.adapters.mcp.scripted import (
    connected,
    entries,
    free_port,
    invoke,
    remote,
    scripted_entry,
)

# A process of Python with the SDK takes a second to start, on a busy machine several.
pytestmark = pytest.mark.slow


@pytest.fixture(params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """One event loop for most: what differs between the two is the SDK's."""
    backend: str = request.param
    return backend


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_servers_work_on_both_event_loops() -> None:
    """Opened, called and closed."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        assert 3 == await invoke(registry, "calc.add", a=1, b=2)


async def test_values_are_plain_and_names_exact() -> None:
    """Scalars come unwrapped, one text as text, several parts as records, odd names as they are."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        assert 3 == await invoke(registry, "calc.add", a=1, b=2)
        assert 6 == await invoke(registry, "calc.multiply", a=2, b=3)
        assert "odd-name" == await invoke(registry, "calc.odd-name")
        assert [
            {"type": "text", "text": "one"},
            {"type": "text", "text": "two"},
        ] == await invoke(registry, "calc.several")


async def test_an_image_is_a_record_to_the_program_and_an_image_to_the_model() -> None:
    """The bytes stay out of what a program could print."""
    registry = ToolRegistry(mode="native")
    async with McpServers(entries(calc=scripted_entry()), registry):
        answer = await registry.call("calc.picture", {})

        assert [{"type": "image", "mime_type": "image/png", "bytes": 8}] == answer.value
        assert (ImagePart(data="iVBORw0KGgo=", mime_type="image/png"),) == answer.content


async def test_progress_of_a_tool_is_a_live_event_of_its_call() -> None:
    """Watchers of the session see how far it is, before it has ended."""
    registry = ToolRegistry(mode="native")
    session = Session()
    told: list[Event] = []
    async with McpServers(entries(calc=scripted_entry()), registry):
        with session.watching(lambda entry: told.append(entry.event)):
            await registry.call("calc.progress", {}, call_id="c1", sink=session)

    assert ToolProgressed(call_id="c1", progress=1, total=2, message="half") in told


async def test_what_a_server_logs_is_an_event_of_the_session() -> None:
    """Watchers see it as it comes, and the log has it."""
    session, told = Session(), anyio.create_memory_object_stream[Entry](10)
    async with connected(entries(calc=scripted_entry()), sink=session) as (_, registry):
        with session.watching(told[0].send_nowait), anyio.fail_after(20):
            await invoke(registry, "calc.say")
            entry = await told[1].receive()
    told[0].close()
    told[1].close()

    words = {"server": "calc", "level": "warning", "text": '{"seen": 1}'}
    assert Noted(topic="mcp/log", body=words) == entry.event


async def test_what_the_server_calls_an_error_is_raised_with_its_text() -> None:
    """`isError` is for the program to catch."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        with pytest.raises(ToolCallError, match=r"\Ano such page\Z"):
            await invoke(registry, "calc.refuse")


async def test_a_value_that_does_not_fit_its_schema_is_delivered_and_noted() -> None:
    """The tool has done its work; its server is told of in the notes."""
    async with connected(entries(calc=scripted_entry())) as (servers, registry):
        assert "no number" == await invoke(registry, "calc.lie")

        assert any(note.startswith("lie: ") for note in servers.all[0].notes)


async def test_a_tool_with_an_unusable_schema_works_unchecked() -> None:
    """One broken tool takes neither itself nor the others away."""
    async with connected(entries(calc=scripted_entry())) as (servers, registry):
        assert "broken" == await invoke(registry, "calc.broken", x=1)

        assert any("'broken'" in note for note in servers.all[0].notes)


async def test_arguments_are_checked_before_they_are_sent() -> None:
    """The message names the argument, as for any tool."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        with pytest.raises(ToolCallError, match="b") as refused:
            await invoke(registry, "calc.add", a=1)

        assert "INVALID_ARGS" == refused.value.code


@pytest.mark.parametrize("levels", [0, 1_000])
async def test_what_cannot_be_sent_is_refused_and_the_connection_lives(levels: int) -> None:
    """A lone surrogate and deep nesting cost the call that has them, and no other."""
    value: object = "\ud800"
    for _ in range(levels):
        value = [value]
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        with pytest.raises(ToolCallError, match="cannot be sent") as refused:
            await invoke(registry, "calc.odd-name", a=value)

        assert "not-started" == refused.value.effect
        assert 3 == await invoke(registry, "calc.add", a=1, b=2)


async def test_hints_give_overlap_and_approval() -> None:
    """Who only reads overlaps; who does not say that it spares things is asked about."""
    async with connected(entries(calc=scripted_entry())) as (servers, registry):
        add, die = (registry.view().find(f"calc.{name}") for name in ("add", "die"))
        assert add is not None
        assert die is not None

        assert add.concurrency_safe is True
        assert die.concurrency_safe is False
        assert not servers.all[0].destroys(add)
        assert servers.all[0].destroys(die)


async def test_a_server_that_dies_fails_the_call_and_is_started_again() -> None:
    """Nobody knows what the call has done; the next one works."""
    async with connected(entries(calc=scripted_entry())) as (servers, registry):
        with pytest.raises(ToolCallError, match="was lost during the call") as lost:
            await invoke(registry, "calc.die")

        assert "unknown" == lost.value.effect
        assert 3 == await invoke(registry, "calc.add", a=1, b=2)
        assert "ready" == servers.all[0].state


async def test_a_remote_server_that_starts_anew_is_connected_to_again() -> None:
    """It does not know our session any more, so the call was not made and is made again."""
    port = free_port()
    servers = entries(calc={"url": f"http://127.0.0.1:{port}/mcp"})
    with anyio.fail_after(60), ExitStack() as up:
        up.enter_context(remote(port))
        async with connected(servers) as (opened, registry):
            assert 3 == await invoke(registry, "calc.add", a=1, b=2)
            up.close()
            with remote(port):
                assert 3 == await invoke(registry, "calc.add", a=1, b=2)
                assert "ready" == opened.all[0].state


async def test_a_call_that_could_not_be_sent_was_not_made() -> None:
    """Whoever called may call again; one that had been sent before may have done something."""
    port = free_port()
    servers = entries(calc={"url": f"http://127.0.0.1:{port}/mcp"})
    with anyio.fail_after(60), ExitStack() as up:
        up.enter_context(remote(port))
        async with connected(servers, connect_s=3) as (_, registry):
            assert 3 == await invoke(registry, "calc.add", a=1, b=2)
            up.close()
            with pytest.raises(ToolCallError, match=r"was not called: .* is not there") as refused:
                await invoke(registry, "calc.add", a=1, b=2)

        assert "not-started" == refused.value.effect
        assert refused.value.retryable


async def test_a_call_can_be_cancelled_and_the_server_goes_on() -> None:
    """The server is told, and the connection lives."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        with anyio.move_on_after(0.2) as waited:
            await invoke(registry, "calc.hang")

        assert waited.cancelled_caught
        assert 3 == await invoke(registry, "calc.add", a=1, b=2)


async def test_a_flood_on_standard_error_stops_nothing() -> None:
    """Two megabytes that nobody reads would block the server for ever."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        assert "still here" == await invoke(registry, "calc.flood")


async def test_a_changed_list_is_taken_over() -> None:
    """A new tool is there as soon as the server has told of it; old ones stay what they were."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        before = registry.view().find("calc.add")
        changed = anyio.Event()
        with registry.on_change(lambda _: changed.set()), anyio.fail_after(20):
            await invoke(registry, "calc.change")
            await changed.wait()

        assert registry.view().find("calc.fresh") is not None
        assert registry.view().find("calc.add") is before


async def test_every_page_of_a_list_is_read() -> None:
    """Paging is the server's choice."""
    async with connected(entries(book=scripted_entry("pages"))) as (_, registry):
        assert ["book.page_0", "book.page_1", "book.page_2"] == [
            tool.name for tool in registry.tools
        ]


async def test_lines_that_are_no_messages_are_noted_and_the_server_works() -> None:
    """A banner on standard output, even one that is no UTF-8, is a slip and no end."""
    async with connected(entries(calc=scripted_entry("chatty"))) as (opened, registry):
        assert 3 == await invoke(registry, "calc.add", a=1, b=2)

        assert any("it sent what is no message" in note for note in opened.all[0].notes)


async def test_servers_that_cannot_be_reached_are_left_out_with_a_reason() -> None:
    """Silent, talking nonsense, not installed, or gone at once: the others work."""
    servers = entries(
        silent=scripted_entry("silent"),
        garbage=scripted_entry("garbage"),
        absent={"command": "no-such-program-anywhere"},
        gone={"command": "sh", "args": ["-c", "echo the reason >&2; exit 3"]},
        calc=scripted_entry(),
    )
    with anyio.fail_after(60):
        async with connected(servers, connect_s=8) as (opened, registry):
            told = {server.name: server.explanation or "" for server in opened.all}
            problems = {server.name: server.problem or "" for server in opened.all}

            assert 3 == await invoke(registry, "calc.add", a=1, b=2)
    assert "did not answer within 8 s" in problems["silent"]
    assert "did not answer within 8 s" in problems["garbage"]
    assert "no program 'no-such-program-anywhere'" in problems["absent"]
    assert "the reason" in told["gone"]
    assert "the reason" not in problems["gone"]
    assert "" == problems["calc"]


async def test_a_failed_server_is_tried_again_when_asked_for() -> None:
    """And only then; a name that is not there is refused with those that are."""
    async with connected(entries(absent={"command": "no-such-program"})) as (opened, _):
        assert "failed" == (await opened.retry("absent")).state

        with pytest.raises(UnknownServerError, match="'absent'"):
            await opened.retry("absnet")


async def test_closing_takes_the_tools_away() -> None:
    """Nothing is left to call."""
    async with connected(entries(calc=scripted_entry())) as (_, registry):
        assert registry.tools
    assert () == registry.tools


async def test_namespaces_are_globals_that_a_program_can_have() -> None:
    """Dashes become underscores, built-in functions keep their names, two never share one."""
    absent: dict[str, object] = {"command": "no-such-program"}
    servers = {
        "my-files": absent,
        "my files": absent,
        "print": absent,
        "class": absent,
        "时": absent,
    }
    async with connected(entries(**servers)) as (opened, _):
        assert ["my_files", "my_files_2", "mcp_print", "mcp_class", "mcp"] == [
            server.namespace for server in opened.all
        ]


async def test_a_server_gets_its_own_environment_and_little_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A secret of the host reaches a server only if its entry says so."""
    monkeypatch.setenv("SERVER_SECRET", "ours")
    servers = entries(
        told=scripted_entry(env={"SERVER_SECRET": "${SERVER_SECRET}!"}), untold=scripted_entry()
    )
    async with connected(servers) as (_, registry):
        assert "ours!" == await invoke(registry, "told.environment")
        assert "none" == await invoke(registry, "untold.environment")
