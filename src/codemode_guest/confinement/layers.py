"""The layers of confinement by name, and a record of which could be put in force."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from typing import Final, Literal, get_args

Layer = Literal[
    "resource_limits",
    "no_new_privileges",
    "unprivileged_user",
    "capabilities",
    "seccomp",
    "landlock",
    "user_namespace",
    "pid_namespace",
    "network_namespace",
    "mount_namespace",
    "ipc_namespace",
]
#: All of them, in the order in which they are told.
LAYERS: Final[tuple[Layer, ...]] = get_args(Layer)

LINUX: Final[bool] = sys.platform == "linux"


class Attempts:
    """What is wanted, and what came of each attempt to get it.

    Args:
        wanted: The layers to put in force.

    Attributes:
        made: Those that are.
        missing: Why the others are not, in the system's words.
    """

    def __init__(self, wanted: Collection[Layer]) -> None:
        self.made: set[Layer] = set()
        self.missing: dict[Layer, str] = {}
        self._wanted = wanted

    def make(self, layer: Layer, *steps: Callable[[], object]) -> None:
        """Put one layer in force, unless it is unwanted or in force already.

        Args:
            layer: Which.
            steps: All of them must succeed, in order.
        """
        if layer not in self._wanted or layer in self.made:
            return
        try:
            for step in steps:
                step()
        except (OSError, ValueError) as error:
            number = getattr(error, "errno", None)
            self.missing[layer] = os.strerror(number) if number else str(error)
        else:
            self.made.add(layer)
            self.missing.pop(layer, None)
