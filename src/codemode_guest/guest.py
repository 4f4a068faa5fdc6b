"""The life of a guest: confine itself, receive one program, run it, report, end."""

from __future__ import annotations

import gc
import json
import linecache
import os
import select
import socket
import sys
import time
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from codemode_guest import values, world
from codemode_guest.bridge import Bridge, leave
from codemode_guest.calls import Calls, NamespaceSpec, install
from codemode_guest.confinement import GuestConfinement
from codemode_guest.control import Settings
from codemode_guest.frames import ENVELOPE_BYTES, pack
from codemode_guest.loop import GuestLoop
from codemode_guest.program import findings, run_program
from codemode_guest.window import Window

_BRIDGE_FD: Final = 3
_STDOUT_FD: Final = 1
_STDERR_FD: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What a program runs on: all that can be made before it is there, and before its guest is.

    Whoever makes things, copies the memory of the code that does it; the template has it already.

    Attributes:
        bridge: To the host.
        calls: Those of the program.
        loop: Hears the bridge.
        offered: The globals of the program, without the host's.
        settings: The limits.
    """

    bridge: Bridge
    calls: Calls
    loop: GuestLoop
    offered: dict[str, object]
    settings: Settings


def set_stage(settings: Settings) -> Stage:
    """Make the stage of guests, in the template."""
    return _stage(Bridge(), world.new_globals(), settings)


def _stage(bridge: Bridge, offered: dict[str, object], settings: Settings) -> Stage:
    window = Window(
        max_calls=settings.max_pending_calls,
        max_bytes=settings.max_frame_bytes,
        max_parts=settings.max_frame_parts,
    )
    calls = Calls(
        bridge,
        window,
        max_args_bytes=settings.max_frame_bytes - ENVELOPE_BYTES,
        max_args_parts=settings.max_frame_parts,
    )
    loop = GuestLoop(bridge, calls.receive, lambda: calls.are_pending)
    return Stage(bridge=bridge, calls=calls, loop=loop, offered=offered, settings=settings)


def main(  # noqa: PLR0913 - what a guest is made of
    bridge_fd: int,
    stderr_fd: int,
    *,
    highest_fd: int,
    parent: int,
    confinement: GuestConfinement,
    stage: Stage,
    spare: bool,
) -> NoReturn:
    """Be a guest, from the fork on.

    Args:
        bridge_fd: This end of the bridge.
        stderr_fd: Where the interpreter's own words go; writing to it never blocks.
        highest_fd: The highest descriptor that the template had open.
        parent: The template's process id.
        confinement: What the template has prepared.
        stage: Likewise.
        spare: Whether there is time before the program comes.
    """
    try:
        gc.enable()
        if spare and not _has_come(bridge_fd):
            rehearse(stage)
        confinement.begin(parent)
        _keep_only(bridge_fd, stderr_fd, highest_fd)
        # Python asks the system what kind of socket it is, which a confined process may not.
        stage.bridge.open(socket.socket(fileno=_BRIDGE_FD))
        confinement.complete()
        _serve(stage)
    except BaseException:  # nothing may unwind into the template's own loop
        sys.excepthook(*sys.exc_info())
    finally:
        leave(1)


def _has_come(bridge_fd: int) -> bool:
    """Whether the program is there already, as it is when more runs than spares are wanted."""
    poll = select.poll()
    poll.register(bridge_fd, select.POLLIN)
    return bool(poll.poll(0))


def _keep_only(bridge_fd: int, stderr_fd: int, highest_fd: int) -> None:
    """Move the two descriptors to their places and close all others, standard input too."""
    # Out of the way of the places first: either may stand where the other belongs.
    bridge = os.dup2(bridge_fd, highest_fd + 1)
    stderr = os.dup2(stderr_fd, highest_fd + 2)
    os.dup2(bridge, _BRIDGE_FD)
    os.dup2(stderr, _STDOUT_FD)
    os.dup2(stderr, _STDERR_FD)
    os.close(0)
    os.closerange(_BRIDGE_FD + 1, highest_fd + 3)


def _serve(stage: Stage) -> NoReturn:
    stage.bridge.send(b'["ready",%d]' % time.process_time_ns())
    _run_next(stage)
    leave()


def _run_next(stage: Stage) -> None:
    """Receive a program, run it and report its end; its loop keeps what it left behind."""
    bridge, settings = stage.bridge, stage.settings
    world.connect(bridge.log)
    frames: list[Any] = []
    while not frames:
        frames = bridge.receive(None)
    start = frames[0][1]
    world.seed(start["seed"])
    specs = [NamespaceSpec(*fields) for fields in start["namespaces"]]
    bindings = install(specs, stage.calls)
    if start.get("check_only"):
        found = findings(start["program"], bindings, specs)
        bridge.send(b'["done",{"value":', values.encode(found), b"}]")
        return
    done = run_program(
        start["program"],
        bindings,
        specs,
        offered=stage.offered,
        loop=stage.loop,
        max_value_bytes=min(settings.max_output_bytes, settings.max_frame_bytes - ENVELOPE_BYTES),
        max_value_parts=settings.max_frame_parts,
    )
    bridge.send(*done)


def rehearse(stage: Stage) -> None:
    """Run a small program of our own, so that a real one finds the memory that it writes to.

    After a fork the first write to each page copies it, which is most of what a short run
    costs. A spare guest has the time to do that beforehand. The template does it too, so that the
    interpreter has specialized our code before any guest is forked.

    Args:
        stage: For the program to come; this one has its own.
    """
    ours, host = socket.socketpair()
    echo = ["rejected", [["text", True, ["string"], None, "str"]]]
    tools = ("tools", ["echo"], "ToolCallError", "tool_name", {"echo": echo})
    start = {"program": _REHEARSAL, "seed": 0, "namespaces": [tools]}
    host.sendall(pack(json.dumps(["start", start]).encode()))
    with ours, host:
        rehearsed = _stage(_AnsweredBridge(ours, host), stage.offered, stage.settings)
        _run_next(rehearsed)
        rehearsed.loop.close()
    linecache.cache.clear()


class _AnsweredBridge(Bridge):
    """A bridge whose other end answers the one call of the rehearsal."""

    def __init__(self, sock: socket.socket, host: socket.socket) -> None:
        super().__init__(sock)
        self._host = host

    def send(self, *parts: bytes) -> None:
        super().send(*parts)
        if parts[0].startswith(b'["call"'):
            self._host.sendall(pack(b'["reply",1,true,null]'))


_REHEARSAL: Final = """
import json
async def ask(text):
    return await tools.echo(text=text)
print(f"{len(json.dumps([1, 'a']))}")
return {"a": [await ask("b"), 1.5]}
"""
