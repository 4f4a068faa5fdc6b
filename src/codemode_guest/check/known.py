"""The few kinds of value that the check follows; of any other it knows nothing (`None`)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from codemode_guest.calls import NamespaceSpec
    from codemode_guest.check.arguments import Fault

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True, kw_only=True, eq=False)
class Started:
    """What calling a member, or an async function of the program, gives: it waits to be awaited.

    Attributes:
        call: Where it was made.
        shown: What was called, as a program writes it.
        fault: Why the call will be rejected.
        function: The function of the program whose body it will run.
        sure: Whether the call is made in every run.
        used: Whether something may await it.
        asked: Whether something of it was asked for, as of the result.
    """

    call: ast.Call
    shown: str
    fault: Fault | None = None
    function: ast.AsyncFunctionDef | None = None
    sure: bool
    used: bool = False
    asked: bool = False


@dataclass(slots=True, kw_only=True, eq=False)
class Several:
    """A list, a tuple or a dict that is written out, with the values in it that are followed.

    Attributes:
        items: Each with whether it is sure to be in there.
        filled: Whether anything is.
    """

    items: list[tuple[Value, bool]] = field(default_factory=list)
    filled: bool = False


@dataclass(slots=True, frozen=True)
class Gathered:
    """What `asyncio.gather` gives, or a task: awaiting it awaits these.

    Attributes:
        items: Each with whether it is sure to be among them.
        lenient: Whether exceptions are returned instead of raised.
    """

    items: list[tuple[Value, bool]]
    lenient: bool = False


@dataclass(slots=True, frozen=True)
class Member:
    """A member of a namespace, not called.

    Attributes:
        shown: As a program writes it.
        spec: Its namespace.
        name: Its name in there.
    """

    shown: str
    spec: NamespaceSpec
    name: str


@dataclass(slots=True, frozen=True)
class Whole:
    """A namespace, under whatever name."""

    spec: NamespaceSpec


@dataclass(slots=True, frozen=True)
class Defined:
    """A function of the program, under a name that nothing else is ever bound to."""

    node: Function


@dataclass(slots=True, frozen=True)
class Known:
    """A constant of the program."""

    value: object


@dataclass(slots=True, frozen=True)
class Library:
    """A module, or what is in one, by its dotted name."""

    name: str


@dataclass(slots=True, frozen=True)
class Context:
    """What `asyncio` gives for a `with` that lets every exception of its body through.

    Attributes:
        group: Whether it is a task group.
    """

    group: bool = False


Value: TypeAlias = (
    Started | Several | Gathered | Member | Whole | Defined | Known | Library | Context | None
)
