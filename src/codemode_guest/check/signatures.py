"""What calls of a member may look like, as the start frame carries it.

{member: [others, [[name, required, kinds or null, values or null, text], …]]}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterSpec:
    """One parameter of a member.

    Attributes:
        required: Whether a call without it is rejected.
        kinds: The JSON kinds that are taken; None for any.
        values: The only values that are taken; None for any.
        text: The type, for messages.
    """

    required: bool
    kinds: tuple[str, ...] | None = None
    values: tuple[object, ...] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureSpec:
    """The parameters of a member.

    Attributes:
        parameters: By name, in the order in which they are shown.
        others: What becomes of a call with other arguments.
    """

    parameters: Mapping[str, ParameterSpec]
    others: Literal["rejected", "unsaid", "accepted"]


def unpack(packed: Any) -> SignatureSpec:  # noqa: ANN401 - JSON from the host, which is trusted
    """Read one signature of the start frame."""
    others, parameters = packed
    return SignatureSpec(
        others=others,
        parameters={
            name: ParameterSpec(
                required=required,
                kinds=None if kinds is None else tuple(kinds),
                values=None if values is None else tuple(values),
                text=text,
            )
            for name, required, kinds, values, text in parameters
        },
    )
