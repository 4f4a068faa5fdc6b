"""Tools: what they are, who sees them, and the one path that every call of them takes.

Owns definitions, the registry and its scopes, policies, approvals and the order of calls.
Knows nothing of processes, prompts or SDK text. Below it are `session`, `runtime` and
`errors`, above it `sdk`, `prompt`, `bridge`, `adapters` and `cli`. The core is
`pipeline.Passage.carry_out`: one call in, one `ToolResult` out.
"""

from codemode.tools.approval import Approval, ApprovalHandler, ApprovalRequest
from codemode.tools.cards import call_card, result_card
from codemode.tools.claims import ERROR_CLASS
from codemode.tools.config import ToolsConfig
from codemode.tools.contract import Contract, SchemaContract, lossless
from codemode.tools.definition import (
    OpenProgram,
    Presentation,
    SubCall,
    ToolCall,
    ToolContext,
    ToolDefinition,
)
from codemode.tools.errors import (
    DuplicateToolError,
    Effect,
    ErrorCode,
    ReservedToolError,
    ScopeError,
    ToolCallError,
    ToolSchemaError,
    ToolSignatureError,
)
from codemode.tools.generator import SdkForm, SdkGenerator, SdkText
from codemode.tools.hooks import (
    Allow,
    Ask,
    Block,
    Decision,
    Deny,
    Execute,
    Finalize,
    Guard,
    ObserveResult,
    PostExecute,
    PreExecute,
    Proceed,
    Replace,
    Verdict,
)
from codemode.tools.parts import ImagePart, OtherPart, Part, TextPart, content_text
from codemode.tools.presentation import (
    Card,
    CardKind,
    DiffCard,
    GenericCard,
    TerminalCard,
)
from codemode.tools.program_calls import ProgramCalls
from codemode.tools.registration import Registration, ToolsChange
from codemode.tools.registry import ToolRegistry
from codemode.tools.results import ToolFailure, ToolOutput, ToolResult
from codemode.tools.scopes import Scope
from codemode.tools.typed import define
from codemode.tools.view import RUN_CODE, View

__all__ = [
    "ERROR_CLASS",
    "RUN_CODE",
    "Allow",
    "Approval",
    "ApprovalHandler",
    "ApprovalRequest",
    "Ask",
    "Block",
    "Card",
    "CardKind",
    "Contract",
    "Decision",
    "Deny",
    "DiffCard",
    "DuplicateToolError",
    "Effect",
    "ErrorCode",
    "Execute",
    "Finalize",
    "GenericCard",
    "Guard",
    "ImagePart",
    "ObserveResult",
    "OpenProgram",
    "OtherPart",
    "Part",
    "PostExecute",
    "PreExecute",
    "Presentation",
    "Proceed",
    "ProgramCalls",
    "Registration",
    "Replace",
    "ReservedToolError",
    "SchemaContract",
    "Scope",
    "ScopeError",
    "SdkForm",
    "SdkGenerator",
    "SdkText",
    "SubCall",
    "TerminalCard",
    "TextPart",
    "ToolCall",
    "ToolCallError",
    "ToolContext",
    "ToolDefinition",
    "ToolFailure",
    "ToolOutput",
    "ToolRegistry",
    "ToolResult",
    "ToolSchemaError",
    "ToolSignatureError",
    "ToolsChange",
    "ToolsConfig",
    "Verdict",
    "View",
    "call_card",
    "content_text",
    "define",
    "lossless",
    "result_card",
]
