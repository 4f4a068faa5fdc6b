"""The SDK text: any JSON Schema to types that always parse.

Owns schemas as type trees, their Python (the prompt form and the stub), budgets, search, facts
for the check before a run, and types learned from results. Runs nothing and calls no tool.
Below it are `tools` and `errors`, above it `prompt`, `bridge` and `cli`. The core is
`reading.Reader.read`: one schema in, one type out.
"""

from codemode.sdk.discovery import (
    UnknownToolNameError,
    describe_tool,
    discovery_name,
    search_tools,
)
from codemode.sdk.entries import Tool, UnnamedToolError, wrapped_member
from codemode.sdk.facts import ParameterFacts, ToolFacts, tool_facts
from codemode.sdk.generators import GENERATORS, UnknownLanguageError, generate, render_sdk
from codemode.sdk.names import is_keyword_name, is_plain_name
from codemode.sdk.observed import observe
from codemode.sdk.signature import returned_schema
from codemode.sdk.vocabulary import SdkBudget, SdkGenerator, SdkText

__all__ = [
    "GENERATORS",
    "ParameterFacts",
    "SdkBudget",
    "SdkGenerator",
    "SdkText",
    "Tool",
    "ToolFacts",
    "UnknownLanguageError",
    "UnknownToolNameError",
    "UnnamedToolError",
    "describe_tool",
    "discovery_name",
    "generate",
    "is_keyword_name",
    "is_plain_name",
    "observe",
    "render_sdk",
    "returned_schema",
    "search_tools",
    "tool_facts",
    "wrapped_member",
]
