"""The process backend: language `python`, isolation `process`.

Owns templates, guests, the host's end of the bridge and every budget. Is handed functions and
has never heard of a registry. Above it are `bridge` and `cli`, below it the seam (`runtime`)
and what it shares with the guest. Its core is `Run` in `run.py`.
"""

from codemode.process.config import ProcessRuntimeConfig
from codemode.process.guests import MemoryBudgetError
from codemode.process.runtime import ProcessRuntime, run_sync
from codemode.process.template import OutOfDescriptorsError, TemplateStartError

__all__ = [
    "MemoryBudgetError",
    "OutOfDescriptorsError",
    "ProcessRuntime",
    "ProcessRuntimeConfig",
    "TemplateStartError",
    "run_sync",
]
