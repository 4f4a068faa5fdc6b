"""A server that speaks OpenAI's chat completions and answers from a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: What the model says, given the request.
Step = Callable[[dict[str, Any]], dict[str, Any]]


def calls(*programs: str) -> Step:
    """Ask for `run_code`, once for each program."""
    asked = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": "run_code", "arguments": json.dumps({"code": program})},
        }
        for number, program in enumerate(programs)
    ]
    return lambda _: {"role": "assistant", "content": None, "tool_calls": asked}


def says(words: Callable[[str], str]) -> Step:
    """Answer from the last result."""
    return lambda body: {"role": "assistant", "content": words(body["messages"][-1]["content"])}


class ProtocolError(Exception):
    """A request that the real server would refuse."""


def check(body: dict[str, Any], headers: Any) -> None:
    """Refuse what the real server would."""
    if not str(headers["Authorization"]).startswith("Bearer "):
        raise ProtocolError("no bearer token")
    if not isinstance(body["model"], str):
        raise ProtocolError("no model")
    for tool in body.get("tools", ()):
        if tool["type"] != "function" or not tool["function"]["parameters"]["type"]:
            raise ProtocolError(f"a tool that is none: {tool}")
    open_calls: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
            if not isinstance(message["content"], str):
                raise ProtocolError("a result that is no text")
        elif open_calls:
            raise ProtocolError(f"calls without a result: {open_calls}")
        open_calls += [call["id"] for call in message.get("tool_calls") or ()]
    if open_calls:
        raise ProtocolError(f"calls without a result: {open_calls}")


@contextmanager
def serving(*steps: Step) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Serve the steps, one for each request; give the base URL and the bodies received."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path != "/v1/chat/completions":
                self.answer(404, {"error": {"message": f"no such path: {self.path}"}})
                return
            try:
                body = json.loads(raw)
                check(body, self.headers)
                message = steps[len(bodies)](body)
                bodies.append(raw)
            except (ProtocolError, KeyError, ValueError, IndexError) as error:
                self.answer(400, {"error": {"message": repr(error)}})
                return
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            choice = {"index": 0, "message": message, "finish_reason": reason}
            self.answer(200, {"object": "chat.completion", "choices": [choice]})

        def answer(self, status: int, body: dict[str, Any]) -> None:
            encoded = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(encoded)))
            self.end_headers()
            self.wfile.write(encoded)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", bodies
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
