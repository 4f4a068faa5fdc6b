"""For the tests of those who build on a runtime: one that needs no processes.

Owns `InMemoryRuntime`, which passes the same contract suite as the process backend. It is a
sibling of `process`: above it is nothing of ours, below it are the seam and the guest's own
parts. Never part of `import codemode`.
"""

from codemode.testing.memory import InMemoryRuntime

__all__ = ["InMemoryRuntime"]
