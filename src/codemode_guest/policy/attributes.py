"""The policy for attributes: decided by the name where that is possible, else by a guard."""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import Final

from codemode_guest.policy import names
from codemode_guest.policy.names import Rejection
from codemode_guest.policy.walk import Reading, Visited, Walk

#: Guards, in a program's globals; `world` provides them. No program can spell their names.
READ_PRIVATE: Final = "_private_"
READ_FORMAT: Final = "_format_"

#: How deep Python follows fields within the specification of a field (`Formatter.vformat`).
_FORMAT_DEPTH: Final = 2


class AttributePolicy(Walk):
    """Attributes, read, written and deleted."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        # Attributes whose surroundings make them harmless, as `__name__` does in
        # `x.__class__.__name__`.
        self.approved: set[ast.AST] = set()
        # A pattern cannot hold a call, so none of its attributes can be guarded.
        self.in_pattern = False
        self._supers: list[ast.Attribute] = []
        self._dicts: list[ast.Attribute] = []

    def visit_Attribute(self, node: ast.Attribute) -> Visited:
        """Allowed: every name that leads nowhere; the rest by name, by place, or by a guard.

        Reading. Free: ordinary names, `self._x` and `cls._x` in a method, the special methods
        and labels such as `__name__`. Guarded: `_x` of anything else, and `format`, unless it is
        that of a literal that reads harmless attributes. `x.__class__` is free where only its
        label is read, and guarded for the parameters of a method; `x.__dict__` is guarded for
        variables of the program.
        Refused: other special names, and what leads to frames, code and the event loop.

        Writing and deleting is free for ordinary and private names and a few labels.
        """
        attr = node.attr
        if node.ctx.__class__ is not ast.Load:
            self.refuse(node, names.refuse_assignment(attr))
            return self.node_contents_visit(node)
        if attr in names.FORMATS:
            return self._visit_format(node)
        if attr[0] != "_":
            if attr in _REFUSED_ORDINARY:
                self.refuse(node, names.refuse_attribute(attr))
            return self.node_contents_visit(node)
        if attr in names.LABELS and _is_class_of(node.value):
            self.approved.add(node.value)
        return self._visit_underscored(node, attr)

    def _visit_underscored(self, node: ast.Attribute, attr: str) -> Visited:
        """Read `x._y`, `x.__y`, `x.__y__` or `x._y_`."""
        if node in self.approved:
            return self.node_contents_visit(node)
        if names.is_special(attr):
            if self._needs_guard(node):
                return self._guarded(node, READ_PRIVATE)
            if not self._is_harmless_on_super(node):
                self.refuse(node, names.refuse_attribute(attr))
            return self.node_contents_visit(node)
        if isinstance(node.value, ast.Name) and self.scopes.is_own(node.value.id):
            self.refuse(node, names.refuse_attribute(attr))
            return self.node_contents_visit(node)
        rejection = names.refuse_attribute(attr)
        if rejection is None:
            return self._guarded(node, READ_PRIVATE)
        self.refuse(node, rejection)
        return self.node_contents_visit(node)

    def _needs_guard(self, node: ast.Attribute) -> bool:
        """Whether a special attribute is one that the object itself decides on."""
        if not isinstance(node.value, ast.Name):
            return False
        if node.attr == "__dict__":
            self._dicts.append(node)
            return True
        return node.attr == "__class__" and self.scopes.is_parameter_of_method(node.value.id)

    def _is_harmless_on_super(self, node: ast.Attribute) -> bool:
        """Whether this is `super().__x__`, which Python binds to an object of this very class."""
        if node.attr not in names.ON_SUPER or not self.scopes.in_function():
            return False
        if not (isinstance(node.value, ast.Call) and _is_name(node.value.func, "super")):
            return False
        self._supers.append(node)
        return True

    def refuse_misplaced_trust(self) -> None:
        """Refuse what depends on who binds a name; call when all names are known.

        `super()` must be Python's own, and `x.__dict__` is read of the program's variables only.
        """
        for node in self._dicts:
            name = node.value.id  # type: ignore[attr-defined]  # only names are noted
            if name not in self.scopes.variables or name in self.scopes.imported:
                self.refuse(node, names.refuse_attribute(node.attr))
        if "super" in self.scopes.variables:
            for node in self._supers:
                self.refuse(node, names.refuse_attribute(node.attr))

    def approve_call_by_name(self, node: ast.Call) -> None:
        """Approve `x.__setattr__(y, "name", …)` and its kin if the name is a harmless literal."""
        func = node.func
        if not isinstance(func, ast.Attribute) or node.keywords:
            return
        rest = 1 if func.attr == "__setattr__" else 0
        # Bound, the name comes first; unbound, as in `object.__setattr__(self, …)`, second.
        position = len(node.args) - 1 - rest
        if position not in (0, 1) or any(isinstance(arg, ast.Starred) for arg in node.args):
            return
        given = node.args[position]
        if not isinstance(given, ast.Constant) or type(given.value) is not str:
            return
        writes = func.attr in ("__setattr__", "__delattr__")
        rule = names.refuse_assignment if writes else _refuse_plain_reading
        if rule(given.value) is None:
            self.approved.add(func)

    def _visit_format(self, node: ast.Attribute) -> Visited:
        template = node.value
        literal = template.value if isinstance(template, ast.Constant) else None
        if type(literal) is str and _reads_harmless_attributes(literal, _FORMAT_DEPTH):
            return node
        return self._guarded(node, READ_FORMAT)

    def _guarded(self, node: ast.Attribute, guard: str) -> Visited:
        """Replace a read by a call of a guard, which is given the object and the name."""
        if self.in_pattern:
            reason = f"the attribute {node.attr!r} cannot be read inside a pattern"
            self.refuse(node, Rejection(reason=reason, substitute="compare it in an if"))
            return self.node_contents_visit(node)
        name = names.mangle(node.attr, self.scopes.class_name())
        return guard_call(guard, self.visit_expression(node.value), name, node)


#: Names without an underscore whose reading is refused.
_REFUSED_ORDINARY: Final = names.INTERNALS | names.LOOP_ATTRIBUTES


def guard_call(guard: str, value: ast.expr, name: str, place: ast.AST) -> ast.Call:
    """Build `guard(value, name)`, which stands where another node stood."""
    func = ast.copy_location(ast.Name(id=guard, ctx=ast.Load()), place)
    constant = ast.copy_location(ast.Constant(value=name), place)
    return ast.copy_location(ast.Call(func=func, args=[value, constant], keywords=[]), place)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_class_of(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "__class__"


def _refuse_plain_reading(name: str) -> Rejection | None:
    if name.startswith("_") or name in names.FORMATS:
        return Rejection(reason="", substitute=None)
    return names.refuse_attribute(name)


def _reads_harmless_attributes(template: str, depth: int) -> bool:
    """Whether a literal template reads no attribute that a program could not read natively.

    A dot within an item (`{0[a.b]}`) counts as an attribute: that errs on the side of the guard.
    """
    if "." not in template:
        return True
    try:
        fields = list(Formatter().parse(template))
    except ValueError:
        return False  # the guard fails on it in Python's own words
    for _, field, spec, _ in fields:
        for attr in re.findall(r"\.([^.\[]*)", field or ""):
            if not attr.isidentifier() or _refuse_plain_reading(attr) is not None:
                return False
        if spec and not (depth and _reads_harmless_attributes(spec, depth - 1)):
            return False
    return True
