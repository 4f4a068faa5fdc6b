"""Calls: of members, of the program's own functions, and of asyncio's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from codemode_guest.calls import NamespaceSpec, spelling
from codemode_guest.check import wording
from codemode_guest.check.arguments import fault_of
from codemode_guest.check.displays import Displays
from codemode_guest.check.known import (
    Context,
    Defined,
    Function,
    Gathered,
    Library,
    Member,
    Several,
    Started,
    Value,
)
from codemode_guest.check.signatures import unpack

#: Functions that await nothing they are given, and keep nothing of it.
_NOT_AWAITING: Final = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "enumerate",
        "float",
        "format",
        "int",
        "isinstance",
        "len",
        "max",
        "min",
        "print",
        "repr",
        "reversed",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "type",
    ]
)

#: What `asyncio` gives for a `with` that lets everything through.
_CONTEXTS: Final = frozenset(
    f"asyncio.{name}"
    for name in (
        "BoundedSemaphore",
        "Condition",
        "Lock",
        "Semaphore",
        "TaskGroup",
        "timeout",
        "timeout_at",
    )
)


class Calling(Displays):
    """Evaluates calls."""

    def attribute_of(self, holder: Value, node: ast.Attribute) -> Value:
        """Read an attribute of a value."""
        raise NotImplementedError

    def member(
        self, spec: NamespaceSpec, name: str, node: ast.Attribute | ast.Subscript
    ) -> Member | None:
        """Read a member of a namespace."""
        if name in spec.members:
            return Member(spelling(spec.global_name, name), spec, name)
        # Special attributes are every object's, and the policy's business.
        if not (name.startswith("__") and name.endswith("__")):
            reason, advice = wording.unknown_member(spec, name, self.world.namespaces)
            self.notes.add(node, reason, advice, sure=self.sure)
        return None

    def on_call(self, node: ast.Call) -> Value:
        """Call whatever is called."""
        function = node.func
        spec = self.namespace(function)
        if spec is not None:
            reason = f"{spec.global_name} is not a function"
            advice = f"write {spec.global_name}.name(…), or {spec.global_name}['name'](…)"
            self.notes.add(node, reason, advice, sure=self.sure)
            self._spend_arguments(node)
            return None
        if isinstance(function, ast.Attribute) and self.namespace(function.value) is None:
            holder = self.value(function.value)
            if isinstance(holder, (Several, Context)):
                return self._call_method(holder, function.attr, node)
            return self._call_value(self.attribute_of(holder, function), node)
        return self._call_value(self.value(function), node)

    def _call_value(self, target: Value, node: ast.Call) -> Value:
        match target:
            case Member():
                return self._call_member(target, node)
            case Defined(function):
                self._spend_arguments(node)
                return self._call_defined(function, node)
            case Library(name):
                return self._call_library(name, node)
            case None if isinstance(node.func, ast.Name) and node.func.id in _NOT_AWAITING:
                awaits = not self.is_builtin(node.func.id)
                self._spend_arguments(node, awaits=awaits)
            case _:
                self.let_go(target)
                self._spend_arguments(node)
        return None

    def _call_member(self, member: Member, node: ast.Call) -> Started:
        self._spend_arguments(node, awaits=False)
        packed = (member.spec.signatures or {}).get(member.name)
        signature = None if packed is None else unpack(packed)
        plain_dict = self.is_builtin("dict")
        fault = fault_of(node, member.shown, signature, builtin_dict=plain_dict)
        return self.start(Started(call=node, shown=member.shown, fault=fault, sure=self.sure))

    def _call_defined(self, function: Function, node: ast.Call) -> Started | None:
        if isinstance(function, ast.FunctionDef):
            self.follow_function(function)
            return None
        return self.start(
            Started(call=node, shown=function.name, function=function, sure=self.sure)
        )

    def _call_method(self, holder: Several | Context, method: str, node: ast.Call) -> Value:
        if isinstance(holder, Several) and method == "append" and len(node.args) == 1:
            holder.items.append((self.value(node.args[0]), self.sure))
            holder.filled = holder.filled or self.sure
            return None
        if isinstance(holder, Context) and holder.group and method == "create_task":
            # The group raises at its end what a task of it has raised.
            self.wait_for(self._first(node), sure=self.sure)
            return Gathered([])
        self.let_go(holder)
        self._spend_arguments(node)
        return None

    def _call_library(self, name: str, node: ast.Call) -> Value:
        match name:
            case "asyncio.gather":
                return self._gather(node)
            case "asyncio.create_task" | "asyncio.ensure_future":
                first = self._first(node)
                self.let_go(first)
                return Gathered([(first, True)])
            case "asyncio.wait_for" | "asyncio.shield":
                return self._first(node)
            case "asyncio.run":
                self.wait_for(self._first(node), sure=self.sure)
            case "asyncio.iscoroutine" | "json.dumps":
                self._spend_arguments(node, awaits=False)
            case _:
                self._spend_arguments(node)
        return Context(group=name == "asyncio.TaskGroup") if name in _CONTEXTS else None

    def _gather(self, node: ast.Call) -> Gathered:
        gathered: list[tuple[Value, bool]] = []
        for argument in node.args:
            if not isinstance(argument, ast.Starred):
                gathered.append((self.value(argument), True))
            elif several := self.each(argument.value):
                gathered += several.items
        for item, _ in gathered:
            self.let_go(item)
        for keyword in node.keywords:
            self.spend(keyword.value)
        # `return_exceptions`, or it may be in a `**`.
        return Gathered(gathered, lenient=bool(node.keywords))

    def _first(self, node: ast.Call) -> Value:
        """Evaluate all arguments and return the first."""
        found: Value = None
        for argument in _arguments(node):
            value = self.value(argument)
            if node.args and argument is node.args[0]:
                found = value
            else:
                self.let_go(value)
        return found

    def _spend_arguments(self, node: ast.Call, *, awaits: bool = True) -> None:
        """Evaluate arguments.

        Args:
            node: The call.
            awaits: Whether what is called may await them.
        """
        for argument in _arguments(node):
            found = self.value(argument)
            if awaits or not isinstance(found, Started):
                self.let_go(found)


def _arguments(node: ast.Call) -> Iterator[ast.expr]:
    for argument in node.args:
        yield argument.value if isinstance(argument, ast.Starred) else argument
    for keyword in node.keywords:
        yield keyword.value
