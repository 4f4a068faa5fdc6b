"""What the tests of the process backend share."""

import os

import psutil
import pytest


@pytest.fixture
def anyio_backend() -> str:
    """One backend is enough here; the contract suite runs on both."""
    return "asyncio"


def descendants() -> list[int]:
    """The processes below this one, by number."""
    return sorted(process.pid for process in psutil.Process().children(recursive=True))


def open_descriptors() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a Path would hold one open
