"""What a setting means: from the docstring of its class, where it is said once for all."""

from __future__ import annotations

import docstring_parser
import pydantic


def descriptions(model: type[pydantic.BaseModel]) -> dict[str, str]:
    """Return what the docstrings of a model and its bases say of each setting, on one line."""
    found: dict[str, str] = {}
    for part in reversed(model.__mro__):
        if issubclass(part, pydantic.BaseModel) and part is not pydantic.BaseModel:
            told = docstring_parser.google.parse(part.__doc__)
            for one in told.params:
                found[one.arg_name] = " ".join((one.description or "").split())
    return found
