"""The process backend: language `python`, isolation `process`.

Owns templates, guests, the host's end of the bridge and every budget. Is handed functions and
has never heard of a registry. Above it are `bridge` and `cli`, below it the seam (`runtime`)
and what it shares with the guest. Its core is `Run` in `run.py`.
"""

from codemode.process.config import PROFILES, Confinement, ProcessRuntimeConfig
from codemode.process.containment import (
    CURES,
    STOPS,
    Containment,
    LayerFact,
    MissingLayerError,
    UnknownContainmentError,
)
from codemode.process.guests import MemoryBudgetError
from codemode.process.run import NoProcessError
from codemode.process.runtime import ProcessRuntime, run_sync
from codemode.process.template import OutOfDescriptorsError, TemplateStartError

__all__ = [
    "CURES",
    "PROFILES",
    "STOPS",
    "Confinement",
    "Containment",
    "LayerFact",
    "MemoryBudgetError",
    "MissingLayerError",
    "NoProcessError",
    "OutOfDescriptorsError",
    "ProcessRuntime",
    "ProcessRuntimeConfig",
    "TemplateStartError",
    "UnknownContainmentError",
    "run_sync",
]
