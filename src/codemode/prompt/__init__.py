"""The prompt: what a request begins with, made of sections, and the order of its tools.

Owns sections and their bands, `{{name}}` in the host's own texts, the waterfall of listeners
whose answer is final, and the tool order. Does not know what a tool does or how a program runs.
Below it are `sdk` and `tools`, above it `bridge`. The core is `Prompt.assemble` in
`composer.py`.
"""

from codemode.prompt.assembly import Assembly, Draft, TwoCompleteSectionsError, WireTool
from codemode.prompt.code_mode import RULE_SECTION, SDK_SECTION, code_sections
from codemode.prompt.composer import DuplicateSectionError, Listener, Prompt
from codemode.prompt.interpolation import InterpolationError
from codemode.prompt.sections import (
    GUIDANCE_BAND,
    HOST_BAND,
    IDENTITY_BAND,
    RULE_BAND,
    SDK_BAND,
    LazyText,
    RenderedSection,
    Section,
)
from codemode.prompt.tool_order import REST, ToolOrder

__all__ = [
    "GUIDANCE_BAND",
    "HOST_BAND",
    "IDENTITY_BAND",
    "REST",
    "RULE_BAND",
    "RULE_SECTION",
    "SDK_BAND",
    "SDK_SECTION",
    "Assembly",
    "Draft",
    "DuplicateSectionError",
    "InterpolationError",
    "LazyText",
    "Listener",
    "Prompt",
    "RenderedSection",
    "Section",
    "ToolOrder",
    "TwoCompleteSectionsError",
    "WireTool",
    "code_sections",
]
