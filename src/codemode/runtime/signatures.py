"""What calls of a binding may look like: facts by which a program can be checked unrun.

The seam knows nothing of tools and their schemas. It passes on what is said here, and whoever
says it is answerable for it: a call that does not fit is one that the binding would reject.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

#: What JSON calls its kinds of value. An integer is a number, too.
JsonKind = Literal["null", "boolean", "integer", "number", "string", "array", "object"]

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBindingParameter:
    """One argument of a binding.

    Attributes:
        required: Whether a call without it is rejected.
        kinds: The kinds of value that are taken; None for any.
        values: The only values that are taken, which are scalars; None for any.
        text: The type as the language of programs has it, for messages; empty where none is.
    """

    required: bool = False
    kinds: tuple[JsonKind, ...] | None = None
    values: tuple[str | int | float | bool | None, ...] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBindingSignature:
    """The arguments of a binding.

    Attributes:
        parameters: By name, in the order in which a reader is shown them.
        others: What becomes of a call with any other argument. Where nothing is said, a program
            with such a call is begun all the same.
    """

    parameters: Mapping[str, CodeBindingParameter]
    others: Literal["rejected", "unsaid", "accepted"] = "unsaid"

    def __post_init__(self) -> None:
        """Keep a copy."""
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))


def packed_signatures(
    global_name: str, signatures: Mapping[str, CodeBindingSignature] | None, program: str
) -> dict[str, list[object]] | None:
    """Return the signatures that a program may need, as plain JSON; None where there are none.

    A member that the program does not name is left out. The program is searched for words, not
    parsed: a small program with a thousand tools costs what a small program costs.

    Args:
        global_name: The namespace.
        signatures: Of its members.
        program: The text.

    Returns:
        What the guest's `check.signatures` reads.
    """
    if signatures is None:
        return None
    return {
        member: [
            signature.others,
            [
                (name, one.required, one.kinds, one.values, one.text)
                for name, one in signature.parameters.items()
            ],
        ]
        for member, signature in _named(global_name, signatures, program)
    }


def _named(
    global_name: str, signatures: Mapping[str, CodeBindingSignature], program: str
) -> list[tuple[str, CodeBindingSignature]]:
    words = set(_WORD.findall(program))
    named = [(member, signatures[member]) for member in sorted(words & signatures.keys())]
    if f"{global_name}[" in program:
        named += [
            (member, signature)
            for member, signature in signatures.items()
            if member not in words and not member.isidentifier() and member in program
        ]
    return named
