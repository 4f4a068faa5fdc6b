"""A host of its own, as root or as an ordinary user, whose programs are attacks.

    python host.py '{"user": 54321 or null, "container": {"refuse": [CALL, …], "keep": [CAP, …]} or
        null, "runtimes": [[CONFINEMENT, [[NAME, ARGUMENTS], …]], …]}'

Prints one JSON line: for each runtime the outcomes of its attacks, in order, and what it says of
its containment, or why it did not open. In a container, as far as one can be had without another
program, the calls fail that its profile refuses and root keeps only those capabilities. In
arguments, "$pid", "$port" and "$key" stand for this process, a port on which it
listens and a key of its shared memory.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import struct
import subprocess
import sys
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import anyio

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig
from codemode.errors import RuntimeFault
from codemode.process import template
from codemode_guest.confinement import bpf
from codemode_guest.confinement.call_numbers import numbers
from codemode_guest.confinement.kernel import system_call

HERE: Final = Path(__file__).resolve().parent
BOOT: Final = (
    f"import sys; sys.path += [*sys.argv[4:], {str(HERE)!r}]; from door import main; "
    "main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])"
)
MEMORY_BYTES: Final = 256 * 2**20

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_NEW_MOUNTS: Final = 0x00020000
_PRIVATELY: Final = 0x44000
_BIND: Final = 0x5000
ALL_NAMESPACES: Final = 0x7E020000
_MEMORY_OF_ALL: Final = 0o1666  # created, for everybody


async def main(runtimes: list[Any]) -> list[Any]:
    """Carry out the attacks of all runtimes; each in a process of its own."""
    template._BOOT = BOOT  # type: ignore[misc]  # noqa: SLF001 - the door
    listener = socket.create_server(("127.0.0.1", 0))
    memory = _LIBC.shmget(os.getpid(), 4096, _MEMORY_OF_ALL)
    known = {"$pid": os.getpid(), "$port": listener.getsockname()[1], "$key": os.getpid()}
    try:
        return [await outcomes(asked, attacks, known) for asked, attacks in runtimes]
    finally:
        _LIBC.shmctl(memory, 0, None)
        listener.close()


async def outcomes(asked: Any, attacks: list[Any], known: dict[str, int]) -> Any:
    """Carry out the attacks of one runtime."""
    config = ProcessRuntimeConfig(
        memory_bytes=MEMORY_BYTES, spare_guests=0, compute_ms=300, confinement=asked
    )
    found: list[object] = []
    runtime = ProcessRuntime(config)
    try:
        await runtime.open()
    except RuntimeFault as fault:
        return {"fault": str(fault)}
    async with aclosing(runtime):
        for name, arguments in attacks:
            filled = [known.get(a, a) if isinstance(a, str) else a for a in arguments]
            result = await runtime.run(CodeRunRequest(program=json.dumps([name, filled])))
            error = result.error
            found.append(
                result.value if error is None else {"ended": f"{error.kind}: {error.message}"}
            )
        containment = await runtime.containment()
    return {"outcomes": found, "layers": [asdict(fact) for fact in containment.layers]}


def make_reachable(paths: list[str]) -> None:
    """Let everybody reach these, though a directory above be root's alone; in this process only."""
    hidden: dict[Path, list[Path]] = {}
    for path in {Path(path).resolve() for path in paths}:
        for above in reversed(path.parents):
            if not above.stat().st_mode & 1:
                hidden.setdefault(above, []).append(path)
                break
    if hidden and _LIBC.unshare(_NEW_MOUNTS) != 0:
        raise SystemExit("cannot show the interpreter to another user here")
    if hidden:
        _LIBC.mount(None, b"/", None, ctypes.c_ulong(_PRIVATELY), None)
    for above, below in hidden.items():
        held = {path: os.open(path, os.O_PATH) for path in below if path.is_dir()}
        _LIBC.mount(b"x", str(above).encode(), b"tmpfs", ctypes.c_ulong(0), b"mode=0755")
        for path, fd in sorted(held.items()):
            path.mkdir(parents=True, exist_ok=True)
            kept = f"/proc/self/fd/{fd}".encode()
            _LIBC.mount(kept, str(path).encode(), None, ctypes.c_ulong(_BIND), None)
            os.close(fd)


def enter_container(refuse: list[str], keep: list[int]) -> None:
    """Have calls refused, and capabilities gone, as a container would."""
    known = numbers()
    calls = {known[name]: bpf.call(known[name], bpf.REFUSE) for name in refuse if name in known}
    # Namespaces are what the profiles that refuse `unshare` refuse to `clone` too.
    plain = bpf.Test(0, (0,), mask=ALL_NAMESPACES)
    calls[known["clone"]] = bpf.call(known["clone"], bpf.ALLOW, (plain,))
    calls[known["clone3"]] = bpf.call(known["clone3"], bpf.UNKNOWN)
    code = bpf.choose(sorted(calls.items()), bpf.ALLOW)
    record = bpf.INSTRUCTION.pack(0x20, 0, 0, 0) + b"".join(bpf.INSTRUCTION.pack(*i) for i in code)
    buffer = ctypes.create_string_buffer(record, len(record))
    program = struct.pack("@HxxxxxxP", len(code) + 1, ctypes.addressof(buffer))
    for capability in set(range(64)) - set(keep):
        _LIBC.prctl(24, capability, 0, 0, 0)
    if not keep:
        _LIBC.prctl(38, 1, 0, 0, 0)
    system_call(known["seccomp"], 1, 0, program)


def become(user: int) -> None:
    """Cease to be root for good."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


if __name__ == "__main__":
    plan = json.loads(sys.argv[1])
    user, container = plan.pop("user", None), plan.pop("container", None)
    if user is not None:
        make_reachable([sys.base_prefix, sys.prefix, str(HERE), *filter(None, sys.path)])
        become(user)
    if container is not None:
        enter_container(**container)
    if user is not None or container is not None:
        # Afresh: what has changed its user may be looked into by root alone.
        again = [sys.executable, __file__, json.dumps(plan)]
        sys.exit(subprocess.run(again, check=False).returncode)
    sys.stdout.write(json.dumps(anyio.run(main, plan["runtimes"])))
