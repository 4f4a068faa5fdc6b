"""Where and when figures were taken, to stand beside them."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import anyio

from codemode import ProcessRuntime


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


async def _layers() -> list[str]:
    async with ProcessRuntime() as runtime:
        facts = (await runtime.containment()).layers
    return [fact.layer for fact in facts if fact.active]


def described() -> dict[str, object]:
    """The machine, its load of the last minute, and the layers of confinement in force on it."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "kernel": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": round(os.getloadavg()[0], 2),
        "layers": anyio.run(_layers),
    }
