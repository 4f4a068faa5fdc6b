"""The host survives whatever a guest says: the run ends, in bounds, and the next one works."""

from __future__ import annotations

import resource
from collections.abc import AsyncIterator

import anyio
import pytest

from codemode import ProcessRuntime
from tests.contract.conftest import request_for
from tests.process.conftest import descendants, open_descriptors
from tests.process.peers import echo, run_script, runtime_of_strangers

DEADLINE_S = 20
MIB = 2**20
READY = "say(['ready', 1])\n"
FOREVER = "\nwhile True:\n    time.sleep(60)"


@pytest.fixture(scope="module", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Of a whole module, so that its tests share a template."""
    found: str = request.param
    return found


@pytest.fixture(scope="module")
async def strangers(anyio_backend: str) -> AsyncIterator[ProcessRuntime]:
    """Open, and with limits that a peer soon meets."""
    async with runtime_of_strangers(
        compute_ms=10_000,
        max_wall_ms=10_000,
        max_frame_bytes=4 * MIB,
        max_frame_parts=10_000,
        max_pending_calls=16,
        max_calls=1_000,
        spare_guests=0,
    ) as runtime:
        yield runtime


async def test_a_script_that_behaves_is_served(strangers: ProcessRuntime) -> None:
    """Else what follows would show nothing."""
    script = (
        READY + "say(['call', 1, 0, 0, {'a': 1}])\n"
        "say(['log', 'heard\\n'], ['done', {'value': hear()}])" + FOREVER
    )
    result = await run_script(strangers, script)

    assert result.error is None
    assert [["reply", 1, True, {"a": 1}]] == result.value
    assert ("heard",) == result.logs


# Each ends as worker-exit with these words.
VIOLATIONS = {
    "an announcement beyond the limit": (
        READY + "sock.sendall(struct.pack('>I', 4 * 2**20 + 1))",
        "where 4194304 are allowed",
    ),
    "the longest announcement": ("sock.sendall(b'\\xff' * 4)", "where 4194304 are allowed"),
    "no frame but text": ("sock.sendall(b'GET / HTTP/1.1\\r\\n\\r\\n')", "are allowed"),
    "a body that is no JSON": (READY + "say(b'[')", "not JSON"),
    "a body that is no UTF-8": (READY + 'say(b\'["log","\\xff"]\')', "not JSON"),
    "no body": (READY + "say(b'')", "not JSON"),
    "NaN": (READY + 'say(b\'["done",{"value":NaN}]\')', "not JSON"),
    "an infinity": (READY + 'say(b\'["done",{"value":1e999}]\')', "not lossless"),
    "a nest of a hundred thousand": (READY + "say(b'[' * 10**5 + b']' * 10**5)", "parts"),
    "a nest of thirty thousand": (READY + "say(b'[' * 30_000 + b']' * 30_000)", "parts"),
    "an open nest of a million": (READY + "say(b'[' * 10**6)", "parts"),
    "a digit too many": (READY + "say(b'[\"call\",' + b'1' * 5000 + b',0,0,{}]')", "4300 digits"),
    "too many parts": (
        READY + "say(b'[\"call\",1,0,0,{\"a\":[' + b'[],' * 20_000 + b'[]]}]')",
        "a frame of over 10000 parts",
    ),
    "no list": (READY + "say({'a': 1})", "not a list"),
    "an unknown kind": (READY + "say(['shutdown'])", "an unknown frame"),
    "a reply to itself": (READY + "say(['reply', 1, True, None])", "an unknown frame"),
    "a start of its own": (READY + "say(['start', {}])", "an unknown frame"),
    "a frame before it is ready": ("say(['log', 'a'])", "before it"),
    "ready twice": (READY + READY, "ready twice"),
    "an unknown member": (READY + "say(['call', 1, 0, 7, {}])", "unknown member"),
    "an unknown namespace": (READY + "say(['call', 1, 7, 0, {}])", "unknown member"),
    "a number of the future": (READY + "say(['call', 5, 0, 0, {}])", "call 5 after call 0"),
    "a number twice": (
        READY + "say(['call', 1, 0, 0, {}], ['call', 1, 0, 0, {}])",
        "call 1 after call 1",
    ),
    "a cancel of nothing": (READY + "say(['cancel', 1])", "unknown call 1"),
    "arguments that are no dict": (READY + "say(['call', 1, 0, 0, [1]])", "not a dict"),
    "a claim that is the host's": (
        READY + "say(['done', {'failure': {'kind': 'timeout', 'message': 'm'}}])",
        "an unknown failure",
    ),
    "half a claim": (READY + "say(['done', {'failure': {}}])", "an unknown failure"),
    "two outcomes in one": (
        READY + "say(['done', {'value': 1, 'failure': {}}])",
        "an unknown outcome",
    ),
    "a log without end": (READY + "say(['log', 'a' * 10**6])", "an unknown frame"),
    "thousands of calls that nobody awaits": (
        READY + "[say(['call', n, 0, 0, {'n': n}]) for n in range(1, 5000)]",
        "more unanswered calls",
    ),
}


@pytest.mark.parametrize("script,told", VIOLATIONS.values(), ids=VIOLATIONS)
async def test_a_broken_protocol_is_a_worker_exit_with_its_reason(
    strangers: ProcessRuntime, script: str, told: str
) -> None:
    """Checklist 75, 88, 95: the peer goes on for ever; the host does not wait for it."""
    with anyio.fail_after(DEADLINE_S):
        result = await run_script(strangers, script + FOREVER)

    assert result.error is not None
    assert "worker-exit" == result.error.kind
    assert "broke the protocol" in result.error.message
    assert told in result.error.message
    assert len(result.error.message) < 1_000


ENDS = {
    "nothing": ("os._exit(0)", "exited with status 0"),
    "half a length": ("sock.sendall(b'\\x00\\x00'); os._exit(0)", "exited with status 0"),
    "half a body": (READY + "sock.sendall(pack(b'x' * 100)[:50]); os._exit(7)", "status 7"),
    "a call": (READY + "say(['call', 1, 0, 0, {}]); os._exit(0)", "exited with status 0"),
    "an exception": (READY + "raise SystemExit(3)", "exited with status"),
}


@pytest.mark.parametrize("script,told", ENDS.values(), ids=ENDS)
async def test_a_peer_that_ends_after_saying_something_is_a_worker_exit(
    strangers: ProcessRuntime, script: str, told: str
) -> None:
    """Checklist 75, 88: truncated at any place."""
    with anyio.fail_after(DEADLINE_S):
        result = await run_script(strangers, script)

    assert result.error is not None
    assert "worker-exit" == result.error.kind
    assert told in result.error.message


async def test_what_comes_after_done_changes_nothing(strangers: ProcessRuntime) -> None:
    """Checklist 88: nor a second done, nor a call, nor bytes that are no frame."""
    called: list[object] = []

    async def note(args: object) -> None:
        called.append(args)

    script = (
        READY + 'sock.sendall(pack(b\'["done",{"value":1}]\') + pack(b\'["call",1,0,0,{}]\')'
        " + pack(b'[\"done\",{\"value\":2}]') + pack(b'no frame'))" + FOREVER
    )
    with anyio.fail_after(DEADLINE_S):
        result = await strangers.run(request_for(script, note=note))

    assert (None, 1) == (result.error, result.value)
    assert [] == called


async def test_a_peer_that_goes_on_after_done_is_gone(strangers: ProcessRuntime) -> None:
    """Checklist 84: when `run` returns there is no process of it, nor a descriptor."""
    await run_script(strangers, READY + "say(['done', {}])" + FOREVER)
    before = (descendants(), open_descriptors())
    with anyio.fail_after(DEADLINE_S):
        await run_script(strangers, READY + "say(['done', {}])\nwhile True: pass")

    assert before == (descendants(), open_descriptors())


async def test_answers_for_a_peer_that_reads_nothing_are_bounded(
    strangers: ProcessRuntime,
) -> None:
    """Checklist 88: as many are kept as calls may be unanswered, and then the run ends."""
    answered: list[int] = []

    async def large(_args: object) -> str:
        answered.append(1)
        return "x" * MIB

    script = (
        READY + "for n in range(1, 1000):\n    say(['call', n, 0, 0, {}])\n"
        "    time.sleep(0.002)" + FOREVER
    )
    with anyio.fail_after(DEADLINE_S):
        result = await strangers.run(request_for(script, large=large))

    assert result.error is not None
    assert "more unanswered calls" in result.error.message
    assert len(answered) <= 17


async def test_a_peer_that_reads_slowly_gets_every_answer(strangers: ProcessRuntime) -> None:
    """The bound is on what is kept, not on what is sent."""

    async def large(_args: object) -> str:
        return "x" * MIB

    script = (
        READY + "got = 0\nfor n in range(1, 41):\n    say(['call', n, 0, 0, {}])\n"
        "    if n % 8 == 0:\n        while got < n:\n            got += len(hear())\n"
        "say(['done', {'value': got}])"
    )
    with anyio.fail_after(DEADLINE_S):
        result = await strangers.run(request_for(script, large=large))

    assert (None, 40) == (result.error, result.value)


async def test_the_memory_of_the_host_is_bounded_while_a_peer_does_its_worst(
    strangers: ProcessRuntime,
) -> None:
    """Checklist 88: frames at every limit, over and over, in several runs at once."""
    scripts = [
        READY + "say(b'[\"call\",1,0,0,{\"a\":[' + b'[],' * 9_000 + b'[]]}]')" + FOREVER,
        READY + "sock.sendall(struct.pack('>I', 4 * 2**20) + b'[' * (4 * 2**20 - 1))" + FOREVER,
        READY + "sock.sendall(pack(b'[' * (4 * 2**20)))" + FOREVER,
        READY + "[say(['log', 'ab\\n']) for _ in range(10**6)]" + FOREVER,
    ]
    await for_a_moment(strangers, scripts[1:])
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(2):
        await for_a_moment(strangers, scripts)

    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib
    assert grown_kib < 48 * 1024


async def for_a_moment(runtime: ProcessRuntime, scripts: list[str]) -> None:
    """Run scripts side by side, as long as it takes to say much of it."""
    with anyio.move_on_after(0.4):
        async with anyio.create_task_group() as group:
            for script in scripts:
                group.start_soon(runtime.run, request_for(script, echo=echo))


async def test_the_event_loop_turns_while_a_large_frame_is_read() -> None:
    """What takes long to read is read in a thread, and other runs go on."""
    async with runtime_of_strangers(
        max_output_bytes=4 * MIB, max_wall_ms=20_000, spare_guests=0
    ) as runtime:
        script = READY + "say(b'[\"done\",{\"value\":[' + b'[],' * 800_000 + b'[]]}]')" + FOREVER
        turns, finished = 0, False

        async def read() -> None:
            nonlocal finished
            assert 800_001 == len((await run_script(runtime, script)).value)  # type: ignore[arg-type]
            finished = True

        with anyio.fail_after(DEADLINE_S):
            async with anyio.create_task_group() as group:
                group.start_soon(read)
                while not finished:
                    await anyio.sleep(0.001)
                    turns += 1

    # Read by the loop itself there are a handful, before and after.
    assert turns > 20


async def test_a_budget_ends_a_run_whose_large_frame_is_being_read() -> None:
    """Reading is not waited for; what it takes counts as the program's computing."""
    async with runtime_of_strangers(
        max_frame_parts=4_000_000, max_wall_ms=300, spare_guests=0
    ) as runtime:
        script = READY + "say(b'[\"done\",{\"value\":[' + b'[],' * 3_000_000 + b'[]]}]')" + FOREVER
        with anyio.fail_after(DEADLINE_S):
            result = await run_script(runtime, script)

    assert result.error is not None
    assert "max_wall_ms" == result.error.budget
    # To read all of it takes many times as long.
    assert result.report.wall_ms < 2_500
