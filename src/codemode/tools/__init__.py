"""Tools: typed Python functions that programs can call.

Owns what a tool is, how its arguments are checked and its result made plain, and the
registry that gathers tools. Knows nothing of processes, prompts or sessions. Below it are
`runtime` and `errors`, above it `sdk`, `bridge`, `adapters` and `cli`. The core is
`typed.define`: one function in, one `ToolDefinition` out.
"""

from codemode.tools.definition import ToolDefinition
from codemode.tools.errors import DuplicateToolError, ToolCallError, ToolSignatureError
from codemode.tools.registry import ToolRegistry

__all__ = [
    "DuplicateToolError",
    "ToolCallError",
    "ToolDefinition",
    "ToolRegistry",
    "ToolSignatureError",
]
