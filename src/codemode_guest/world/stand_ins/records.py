"""For `dataclasses`, which makes the source of methods out of names and runs it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from codemode_guest.world.guards import PROGRAM_MODULE
from codemode_guest.world.names import check_name


def make_dataclass(
    cls_name: str,
    fields: Any,  # noqa: ANN401 - strings, pairs or triples, in any iterable
    *,
    namespace: Mapping[str, object] | None = None,
    **options: Any,  # noqa: ANN401 - those of the original, which grow with each Python
) -> type:
    """Make a dataclass of names and types."""
    names = dict(namespace or {})
    for name in names:
        check_name(name)
    made = dataclasses.make_dataclass(cls_name, fields, namespace=names, **options)
    # The original takes it from its caller, which is not the program here.
    made.__module__ = PROGRAM_MODULE
    return made
