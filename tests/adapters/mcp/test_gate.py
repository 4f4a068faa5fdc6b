"""The gate before the server: who passes, how long a request may take, and how all of it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from codemode.adapters.mcp.gate import App, Gate, is_loopback

TOKEN = "a-token-of-the-test"  # noqa: S105 - of nothing else
AUTHORIZED = {"host": "example.test", "authorization": f"Bearer {TOKEN}"}


async def reads_and_answers(_: Any, receive: Any, send: Any) -> None:
    """Answer with the length of the body."""
    length = 0
    while True:
        message = await receive()
        length += len(message["body"])
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})


async def streams(_: Any, receive: Any, send: Any) -> None:
    """Begin an answer that has no end."""
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"first", "more_body": True})
    await anyio.sleep_forever()


async def never_answers(_: Any, receive: Any, send: Any) -> None:
    await receive()
    await anyio.sleep_forever()


class Client:
    """One request to the gate, and what came back."""

    def __init__(self, gate: Gate, headers: Mapping[str, str], body: bytes | None = b"{}") -> None:
        self._gate = gate
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._body = body
        self.status = 0
        self.body = b""
        self.whole = False
        self.moved = anyio.Event()

    async def ask(self) -> None:
        await self._gate({"type": "http", "headers": self._headers}, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        if self._body is None:
            await anyio.sleep_forever()
        return {"type": "http.request", "body": self._body}

    async def _send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")
        self.whole = message["type"] == "http.response.body" and not message.get("more_body")
        self.moved.set()
        self.moved = anyio.Event()


async def asked(gate: Gate, headers: Mapping[str, str], body: bytes | None = b"{}") -> Client:
    client = Client(gate, headers, body)
    with anyio.fail_after(10):
        await client.ask()
    assert client.whole
    return client


@pytest.mark.parametrize("at", ["127.0.0.1", "127.0.0.2", "::1"])
@pytest.mark.parametrize(
    "host,status",
    [
        ("127.0.0.1:8000", 200),
        ("127.0.0.2", 200),
        ("localhost:8000", 200),
        ("LOCALHOST", 200),
        ("[::1]:8000", 200),
        ("attacker.test", 421),
        ("attacker.test:8000", 421),
        ("127.0.0.2.attacker.test", 421),
        ("localhost@attacker.test", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
async def test_at_any_loopback_address_only_names_of_this_machine_are_answered(
    at: str, host: str, status: int
) -> None:
    """A name that an attacker points at this machine is none of its own."""
    gate = Gate(reads_and_answers, token=None, host=at)

    assert status == (await asked(gate, {"host": host})).status


async def test_a_request_that_names_no_host_is_refused_at_loopback() -> None:
    """Every browser names one."""
    gate = Gate(reads_and_answers, token=None, host="127.0.0.1")

    assert 421 == (await asked(gate, {})).status


async def test_where_others_can_reach_us_the_token_is_what_counts() -> None:
    """By which name they do is their affair."""
    gate = Gate(reads_and_answers, token=TOKEN, host="192.0.2.1")

    assert 200 == (await asked(gate, AUTHORIZED)).status
    assert 200 == (await asked(gate, AUTHORIZED | {"authorization": f"bearer {TOKEN}"})).status
    for sent in ("", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN):
        refused = await asked(gate, {"host": "example.test", "authorization": sent})
        assert 401 == refused.status


@pytest.mark.parametrize(
    "origin,status",
    [
        ("http://localhost:5173", 200),
        ("https://127.0.0.1", 200),
        ("http://[::1]:80", 200),
        ("https://attacker.test", 403),
        ("http://127.0.0.1.attacker.test", 403),
        ("http://127.0.0.1@attacker.test", 403),
        ("http://[::1", 403),
        ("null", 403),
        ("", 403),
    ],
)
async def test_pages_of_this_machine_may_ask_and_no_others(origin: str, status: int) -> None:
    """With the right token or without one."""
    gate = Gate(reads_and_answers, token=TOKEN, host="127.0.0.1")
    sent = AUTHORIZED | {"host": "localhost", "origin": origin}

    assert status == (await asked(gate, sent)).status


async def test_a_request_that_never_ends_is_told_so() -> None:
    """Its connection is not held for as long as it likes."""
    gate = Gate(reads_and_answers, token=None, host="127.0.0.1", arrival_s=0.01)

    late = await asked(gate, {"host": "localhost"}, body=None)

    assert (408, b"the request took too long to arrive\n") == (late.status, late.body)


async def test_an_answer_may_take_longer_than_a_request() -> None:
    """Once all of it has arrived there is no hurry."""
    gate = Gate(streams, token=None, host="127.0.0.1", arrival_s=0.01)
    client = Client(gate, {"host": "localhost"})
    with anyio.move_on_after(0.1) as waited:
        await client.ask()

    assert waited.cancelled_caught
    assert (200, b"first", False) == (client.status, client.body, client.whole)


@pytest.mark.parametrize(
    "app,status,body",
    [(streams, 200, b"first"), (never_answers, 503, b"the server is stopping\n")],
)
async def test_what_is_open_at_the_end_is_ended_and_not_broken_off(
    app: App, status: int, body: bytes
) -> None:
    """A stream has its end, a request an answer, and what comes later a refusal."""
    gate = Gate(app, token=None, host="127.0.0.1")
    client = Client(gate, {"host": "localhost"})
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.ask)
            await anyio.wait_all_tasks_blocked()
            gate.close()
        await gate.wait_none_open()

    assert (status, body, True) == (client.status, client.body, client.whole)
    assert 503 == (await asked(gate, {"host": "localhost"})).status


@pytest.mark.parametrize(
    "host,alone",
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104 - nothing is bound
        ("::", False),
        ("192.168.0.1", False),
        ("example.test", False),
        ("127.0.0.1.example.test", False),
        ("", False),
    ],
)
def test_only_loopback_is_this_machine_alone(host: str, alone: bool) -> None:  # noqa: FBT001 - a case
    """What is not known to be loopback is not."""
    assert alone is is_loopback(host)
