"""What a tool claims for itself: names in a layer, in programs and on the wire."""

from __future__ import annotations

import math
from collections.abc import Collection

from codemode.runtime import CodeBindingErrorClass, CodeBindingNamespace, refuse_bad_names
from codemode.tools.definition import ToolDefinition
from codemode.tools.errors import DuplicateToolError, ReservedToolError, ToolSignatureError
from codemode.tools.layer import Layer, places
from codemode.tools.view import RUN_CODE

#: The global under which a program finds every tool, and what a failed call raises.
TOOLS = "tools"
ERROR_CLASS = CodeBindingErrorClass(name="ToolCallError", member_name_property="tool_name")


def refuse_bad_claims(
    definition: ToolDefinition,
    layer: Layer,
    related: Collection[Layer],
) -> None:
    """Check a tool against those that are there.

    Args:
        definition: The tool.
        layer: Where it is to go.
        related: The layers of which tools may be visible together with it.

    Raises:
        DuplicateToolError: If it claims what another has.
        ReservedToolError: If it claims the transport's name.
        ToolSignatureError: If its timeout or its place in programs makes no sense.
        UsageError: If its namespace cannot be a global of a program.
    """
    name = definition.name
    if RUN_CODE in (name, definition.wire_name):
        raise ReservedToolError(name, "registered")
    _refuse_bad_metadata(definition)
    if name in layer.tools:
        raise DuplicateToolError(name)
    for place in places(definition):
        for other in related:
            if (holder := other.holder(place)) not in (None, name):
                raise DuplicateToolError(name, place, holder)


def _refuse_bad_metadata(definition: ToolDefinition) -> None:
    name, namespace, timeout_ms = definition.name, definition.namespace, definition.timeout_ms
    if timeout_ms is not None and not 0 < timeout_ms < math.inf:
        raise ToolSignatureError(
            name, f"timeout_ms is {timeout_ms!r}; give a positive, finite number of milliseconds"
        )
    if namespace is None:
        if definition.member is not None:
            raise ToolSignatureError(name, "it has a member and no namespace; say namespace=...")
        return
    if not definition.member:
        raise ToolSignatureError(name, "its member is empty; leave it out, or give it a name")
    # As a request would have it: not the name of the two that are always there.
    taken = CodeBindingNamespace(global_name=TOOLS, functions={}, error_class=ERROR_CLASS)
    refuse_bad_names([taken, CodeBindingNamespace(global_name=namespace, functions={})])
