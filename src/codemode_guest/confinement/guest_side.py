"""What each guest gives up itself, prepared and tried out in the template."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass

from codemode_guest.confinement import landlock, seccomp
from codemode_guest.confinement.layers import LINUX, Attempts, Layer
from codemode_guest.confinement.privileges import die_with_parent, forbid_dumps
from codemode_guest.confinement.rlimits import limit_self


@dataclass(frozen=True, slots=True)
class _Step:
    """One layer: how a guest gets it, and how the trial sees that it has it."""

    layer: Layer
    apply: Callable[[], None]
    prove: Callable[[], None]


class GuestConfinement:
    """The layers of guests, in the order in which they apply them.

    Args:
        memory_bytes: Address space, interpreter included.
        cpu_seconds: Whole seconds of CPU time, user plus system.
    """

    def __init__(self, *, memory_bytes: int, cpu_seconds: int) -> None:
        self._steps: list[_Step] = []
        self._memory_bytes = memory_bytes
        self._cpu_seconds = cpu_seconds

    def prepare(self, attempts: Attempts) -> None:
        """Make what guests need, once, and have a child try it out.

        Args:
            attempts: Gets the outcome. What could not be had is left out by the guests too;
                what could, is what every one of them must get.
        """
        # Descriptors are needed for the proof of the first, and there are none after the second.
        if LINUX:
            attempts.make("landlock", self._prepare_landlock)
        attempts.make("resource_limits", self._prepare_limits)
        if LINUX:
            attempts.make("seccomp", self._prepare_seccomp)
        if self._steps:
            told = self._try_out()
            attempts.missing.update(told)
            attempts.made.difference_update(told)
            self._steps = [step for step in self._steps if step.layer not in told]

    def begin(self, parent: int) -> None:
        """Apply what needs descriptors of the template's.

        Args:
            parent: The process id of the template, whose end must be this guest's end.

        Raises:
            OSError: If a layer fails that the trial had.
        """
        die_with_parent(parent)
        forbid_dumps()
        for step in self._steps:
            if step.layer == "landlock":
                step.apply()

    def complete(self) -> None:
        """Apply the rest, after which no descriptor can be had; it cannot be undone.

        Raises:
            OSError: If a layer fails that the trial had.
        """
        for step in self._steps:
            if step.layer != "landlock":
                step.apply()

    def _prepare_landlock(self) -> None:
        ruleset_fd = landlock.make_ruleset()

        def apply() -> None:
            landlock.restrict_self(ruleset_fd)
            os.close(ruleset_fd)

        self._steps.append(_Step("landlock", apply, landlock.prove))

    def _prepare_limits(self) -> None:
        self._steps.append(_Step("resource_limits", self._limit, lambda: None))

    def _prepare_seccomp(self) -> None:
        self._steps.append(_Step("seccomp", seccomp.Filter().install, seccomp.prove))

    def _limit(self) -> None:
        limit_self(memory_bytes=self._memory_bytes, cpu_seconds=self._cpu_seconds)

    def _try_out(self) -> dict[Layer, str]:
        """Return why layers could not be had by a child that is confined as guests are."""
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                trial = Attempts({step.layer for step in self._steps})
                for step in self._steps:
                    trial.make(step.layer, step.apply, step.prove)
                os.write(writing, json.dumps(trial.missing).encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            said = pipe.read()
        _, status = os.waitpid(pid, 0)
        if not said:
            words = f"a process that tried it ended with wait status {status}"
            return dict.fromkeys((step.layer for step in self._steps), words)
        missing: dict[Layer, str] = json.loads(said)
        return missing
