"""The bridge: `run_code`, the one tool through which a model's programs call all others.

Owns `CodeMode`, the text that tells a model how to write programs, and the rendering of what
came of one. Decides nothing about a call (the pipeline does) or a process (the runtime does):
it is the only room that knows both. Below it are `prompt`, `sdk`, `tools` and `process`, above
it `adapters` and `cli`. The core is `CodeMode.execute`.
"""

from codemode.bridge.announcing import (
    MissingGeneratorError,
    MissingRuntimeError,
    RequestAssembly,
)
from codemode.bridge.answer import Answer
from codemode.bridge.code_mode import CodeMode
from codemode.bridge.instructions import UnknownProgramLanguageError
from codemode.bridge.report import RunReport

__all__ = [
    "Answer",
    "CodeMode",
    "MissingGeneratorError",
    "MissingRuntimeError",
    "RequestAssembly",
    "RunReport",
    "UnknownProgramLanguageError",
]
