"""What a registry can be told from a file."""

from __future__ import annotations

from typing import Annotated

import pydantic

from codemode.tools.definition import Presentation


class ToolsConfig(pydantic.BaseModel):
    """What a registry can be told from a file.

    Attributes:
        mode: Whether tools are shown to the model directly, reached from programs, or both.
        max_parallel_calls: How many calls of one program may be on at once.
    """

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, strict=True)

    mode: Presentation = "native"
    max_parallel_calls: Annotated[int, pydantic.Field(ge=1)] = 10
