"""Runtimes whose guests are strangers: a template of ours, a test's own script on the bridge.

A guest of such a runtime says nothing by itself, not even that it is ready. It executes what it
is sent as the program, unrestricted, under all the confinement there is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from codemode import CodeRunResult, ProcessRuntime, ProcessRuntimeConfig
from codemode.process import template
from tests.contract.conftest import request_for

#: What a script finds: the socket, the frame that started it, and words to speak in frames.
_BOOT = """
import sys; sys.path += sys.argv[4:]
import json, os, select, signal, struct, time
from codemode_guest import guest
from codemode_guest.frames import FrameDecoder, pack
from codemode_guest.template import main

def serve(stage):
    bridge = stage.bridge
    sock = bridge._socket
    frames = []
    while not frames:
        frames = bridge.receive(None)

    def say(*frames):
        for frame in frames:
            sock.sendall(pack(frame if type(frame) is bytes else json.dumps(frame).encode()))

    def hear():
        found = []
        while not found:
            found = bridge.receive(None)
        return found

    names = {"sock": sock, "say": say, "hear": hear, "pack": pack, "start": frames[0][1],
             "json": json, "os": os, "select": select, "signal": signal, "struct": struct,
             "time": time}
    exec(frames[0][1]["program"], names)

guest._serve = serve
main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
"""


@asynccontextmanager
async def runtime_of_strangers(**limits: int) -> AsyncIterator[ProcessRuntime]:
    """An open runtime whose programs are scripts on the bridge."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template, "_BOOT", _BOOT)
        async with ProcessRuntime(ProcessRuntimeConfig.model_validate(limits)) as runtime:
            yield runtime


async def echo(args: object) -> object:
    """A tool that answers at once."""
    return args


async def run_script(runtime: ProcessRuntime, script: str) -> CodeRunResult:
    """Run a script that may call `echo`, the only member of the only namespace."""
    return await runtime.run(request_for(script, echo=echo))
