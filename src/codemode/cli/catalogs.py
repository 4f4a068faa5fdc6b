"""Catalogues: what an MCP server answered to tools/list, in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from codemode.cli.refusal import Refusal


def read_catalog(path: Path) -> list[Mapping[str, object]]:
    """Return the tools of a catalogue: an object with `tools`, or the list itself.

    Raises:
        Refusal: If it cannot be read, or is none.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Refusal(f"--catalog {str(path)!r}: {why}; give what tools/list answers") from None
    listed = found.get("tools") if isinstance(found, dict) else found
    if not isinstance(listed, list) or not all(isinstance(tool, dict) for tool in listed):
        raise Refusal(f"--catalog {str(path)!r} has no list of tools; give what tools/list answers")
    return listed
