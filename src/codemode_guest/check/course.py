"""Where the check is in a program, and what it knows there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codemode_guest.check.known import Function, Gathered, Several, Started, Value, Whole

if TYPE_CHECKING:
    from codemode_guest.calls import NamespaceSpec
    from codemode_guest.check.notes import Notes
    from codemode_guest.check.scopes import Scope
    from codemode_guest.check.surroundings import World
    from codemode_guest.check.variables import Variable, Variables


class Course:
    """The state of following a program; what it does at each node is in those who inherit.

    Args:
        world: What the program finds.
        variables: What it does with its own.
        notes: Where faults go.

    Attributes:
        sure: Whether what is being read is executed in every run that has not failed before.
        scope: Whose names are meant.
    """

    def __init__(self, world: World, variables: Variables, notes: Notes) -> None:
        self.world = world
        self.variables = variables
        self.notes = notes
        self.sure = True
        self.scope: Scope = variables.top
        self._values: dict[Variable, Value] = {}
        self._read_before: set[Variable] = set()
        self._started: list[Started] = []
        self._namespaces = {
            spec.global_name: spec for spec in world.namespaces if spec.signatures is not None
        }

    def value(self, node: ast.expr) -> Value:
        """Evaluate an expression."""
        raise NotImplementedError

    def follow_function(self, function: Function) -> None:
        """Follow the body of a function that is called."""
        raise NotImplementedError

    def spend(self, node: ast.expr | None) -> None:
        """Evaluate an expression whose value goes where it is not followed."""
        if node is not None:
            self.let_go(self.value(node))

    @contextmanager
    def perhaps(self) -> Iterator[None]:
        """Read what a run may skip."""
        before, self.sure = self.sure, False
        yield
        self.sure = before

    # --- variables --------------------------------------------------------------------

    def variable(self, name: str) -> Variable:
        """Return what a name means here."""
        return self.variables.find(name, self.scope)

    def is_builtin(self, name: str) -> bool:
        """Whether a name means Python's own here."""
        return self.variable(name).is_free

    def namespace(self, node: ast.expr) -> NamespaceSpec | None:
        """Return the namespace that an expression names."""
        if not isinstance(node, ast.Name):
            return None
        variable = self.variable(node.id)
        if variable.is_free:
            return self._namespaces.get(node.id)
        held = self._values.get(variable)
        return held.spec if isinstance(held, Whole) else None

    def read(self, variable: Variable) -> Value:
        """Return what a variable holds."""
        value = self._values.get(variable)
        if value is None and variable.is_single:
            # It is read in a place that comes before the one that binds it, as in a loop.
            self._read_before.add(variable)
        return value

    def bind(self, name: str, value: Value) -> None:
        """Give a variable its value, if that can be followed from there."""
        variable = self.variable(name)
        self._values.pop(variable, None)
        if value is None:
            return
        means_one_thing = variable.is_single or not variable.shared
        stays = variable.is_steady or not isinstance(value, Several)
        if means_one_thing and stays and variable not in self._read_before:
            self._values[variable] = value
        else:
            self.let_go(value)

    def forget_brief(self) -> None:
        """Let go of what is in variables that are bound more than once.

        Such a value is followed along a straight line only, from one statement to the next.
        """
        for variable in [known for known in self._values if not known.is_single]:
            self.let_go(self._values.pop(variable))

    def forget_all(self) -> None:
        """Let go of what is in any variable."""
        while self._values:
            self.let_go(self._values.popitem()[1])

    # --- values that wait to be awaited -----------------------------------------------

    def start(self, started: Started) -> Started:
        """Remember what must be awaited by somebody."""
        self._started.append(started)
        return started

    def let_go(self, value: Value) -> None:
        """Take it that somebody awaits a value, which is not followed any further."""
        pending = [value]
        while pending:
            found = pending.pop()
            if isinstance(found, Started):
                found.used = True
            elif isinstance(found, Several):
                pending += [item for item, _ in found.items]

    def wait_for(self, value: Value, *, sure: bool) -> None:
        """Await a value.

        Args:
            value: What is awaited.
            sure: Whether this happens in every run, and lets through what is raised.
        """
        if isinstance(value, Gathered):
            for item, is_there in value.items:
                self.wait_for(item, sure=sure and is_there and not value.lenient)
        elif isinstance(value, Started):
            value.used = True
            self._note_fault(value, sure=sure)
            if value.function is not None:
                before, self.sure = self.sure, sure
                self.follow_function(value.function)
                self.sure = before

    def report_never_awaited(self) -> None:
        """Note the calls that nothing awaits, and what is wrong with those that something may."""
        for started in self._started:
            self._note_fault(started, sure=False)
            if not started.used:
                arguments = started.call.args or started.call.keywords
                shown = f"{started.shown}({'…' if arguments else ''})"
                reason = f"{shown} is never awaited, so it does nothing"
                advice = f"write (await {shown})" if started.asked else f"write await {shown}"
                self.notes.add(started.call, reason, advice, sure=started.sure)

    def _note_fault(self, started: Started, *, sure: bool) -> None:
        fault = started.fault
        if fault is not None:
            reason = f"{started.shown}: {fault.reason}"
            self.notes.add(fault.node, reason, fault.advice, sure=sure and fault.sure)
