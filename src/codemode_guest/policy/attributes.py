"""The policy for attributes: decided by the name where that is possible, else by a guard."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from string import Formatter
from typing import Final

from codemode_guest.policy import names
from codemode_guest.policy.advice import Rejection
from codemode_guest.policy.modules import ModulePolicy
from codemode_guest.policy.walk import Reading, Visited

#: Guards, in a program's globals; `world` provides them. No program can spell their names.
READ_PRIVATE: Final = "_private_"
READ_FORMAT: Final = "_format_"
CHECK_NAMESPACE: Final = "_namespace_"
CHECK_OWN: Final = "_own_"

#: How deep Python follows fields within the specification of a field (`Formatter.vformat`).
_FORMAT_DEPTH: Final = 2

#: `type(x)` tells the type of an object; with three arguments it makes a class.
_ARGUMENTS_OF_TYPE: Final = 3


#: Displays and literals make objects whose class is the interpreter's.
_OF_THE_INTERPRETER: Final = (
    ast.Constant,
    ast.JoinedStr,
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.Dict,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
)


class AttributePolicy(ModulePolicy):
    """Attributes, read, written and deleted."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        # Attributes whose surroundings make them harmless, as `__name__` does in
        # `x.__class__.__name__`.
        self.approved: set[ast.AST] = set()
        # A pattern cannot hold a call, so none of its attributes can be guarded.
        self.in_pattern = False
        self._called_by_name: set[ast.AST] = set()
        self._supers: list[ast.Attribute] = []
        self._of_own: list[tuple[ast.Attribute, str]] = []

    def visit_Attribute(self, node: ast.Attribute) -> Visited:
        """Allowed: every name that leads nowhere; the rest by name, by place, or by a guard.

        Reading is free for ordinary names, for `self._x`, `cls._x` and `super()._x` in a method,
        for special methods and for labels such as `__name__`. Guarded are `_x` of anything else,
        and `format`, unless it is that of a literal which reads harmless attributes. `x.__class__`
        is free where it is compared, called or asked for, and where a label or an ordinary name is
        read of it; guarded for the parameters of a method. `e.__traceback__` is free where it is
        compared with None, handed to `traceback`, or asked for its line. What a class or function
        says of itself (`names.OF_OWN`) is guarded, of what may be the program's own. Refused are
        other special names, and what leads to frames, code and the event loop. A name that a
        module does not offer is refused where the module is known.

        Writing and deleting is free for ordinary and private names and a few labels. A method may
        assign `self.__dict__` and `self.__class__`, if the program made the object.
        """
        attr = node.attr
        if node.ctx.__class__ is not ast.Load:
            return self._visit_target(node)
        if node.value.__class__ in _NAMED:
            self.note_read(node)
        if attr in names.FORMATS:
            return self._visit_format(node)
        if attr == "tb_lineno":
            self.approve((node.value,), "__traceback__")
            if node.value in self.approved:
                return self.node_contents_visit(node)
        if attr[0] != "_":
            if attr in names.INTERNALS:
                self.refuse(node, names.refuse_attribute(attr))
            else:
                self.approve((node.value,), "__class__")
            return self.node_contents_visit(node)
        if attr in names.LABELS:
            self.approve((node.value,), "__class__")
        return self._visit_underscored(node, attr)

    def _visit_target(self, node: ast.Attribute) -> Visited:
        """Assign or delete an attribute."""
        if node.attr[0] != "_":
            self.approve((node.value,), "__class__")
        if node.attr in names.ASSIGNABLE_TO_OWN and isinstance(node.ctx, ast.Store):
            own = node.value
            if isinstance(own, ast.Name) and self.scopes.is_own(own.id):
                func = ast.copy_location(ast.Name(id=CHECK_OWN, ctx=ast.Load()), own)
                node.value = ast.copy_location(ast.Call(func=func, args=[own], keywords=[]), own)
                return node
        self.refuse(node, names.refuse_assignment(node.attr))
        return self.node_contents_visit(node)

    def _visit_underscored(self, node: ast.Attribute, attr: str) -> Visited:
        """Read `x._y`, `x.__y`, `x.__y__` or `x._y_`."""
        rejection = names.refuse_attribute(attr)
        if node in self.approved:
            return self.node_contents_visit(node)
        if self._depends_on_the_object(node, rejection):
            return self._guarded(node, READ_PRIVATE)
        if attr in names.ON_SUPER and self._is_super_call(node):
            rejection = None
        elif node in self._called_by_name:
            return self._guarded(node, READ_PRIVATE)
        self.refuse(node, rejection)
        return self.node_contents_visit(node)

    def _depends_on_the_object(self, node: ast.Attribute, rejection: Rejection | None) -> bool:
        """Whether it takes the object itself to decide who may read an attribute."""
        name = node.value.id if isinstance(node.value, ast.Name) else None
        if not names.is_special(node.attr):
            is_own = name is not None and self.scopes.is_own(name)
            # A method may be called on any object, and so `self._loop` of a future.
            is_own = is_own and node.attr not in names.OF_FUTURES
            return rejection is None and not is_own and not self._is_super_call(node)
        if node.attr in names.OF_OWN:
            return self._may_be_own(node)
        if name is None:
            return False
        return node.attr == "__class__" and self.scopes.is_parameter_of_method(name)

    def _may_be_own(self, node: ast.Attribute) -> bool:
        """Whether an object that is asked for what is in `OF_OWN` may be the program's own."""
        root = node.value
        while isinstance(root, ast.Attribute) and node.attr not in names.OF_OWN_CLASSES:
            root = root.value
        if isinstance(root, ast.Name):
            self._of_own.append((node, root.id))
            return True
        return node.attr not in names.OF_OWN_CLASSES and not isinstance(root, _OF_THE_INTERPRETER)

    def _is_super_call(self, node: ast.Attribute) -> bool:
        """Whether this is `super().x`, which Python binds to an object of this very class.

        With arguments `super` takes any object. Without, Python checks that the first parameter is
        an instance of the class that the method was written in. In the body of a class any name may
        mean anything, by the mapping that a metaclass prepares.
        """
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            return False
        if (
            call.func.id != "super"
            or call.args
            or call.keywords
            or not self.scopes.is_read_in_function()
        ):
            return False
        self._supers.append(node)
        return True

    def check_namespace_of_type(self, node: ast.Call) -> None:
        """Have the third argument of `type(name, bases, namespace)` checked when it is there."""
        if len(node.args) == _ARGUMENTS_OF_TYPE and not node.keywords:
            namespace = node.args[-1]
            if not isinstance(namespace, ast.Starred):
                func = ast.copy_location(ast.Name(id=CHECK_NAMESPACE, ctx=ast.Load()), namespace)
                checked = ast.Call(func=func, args=[namespace], keywords=[])
                node.args[-1] = ast.copy_location(checked, namespace)

    def refuse_misplaced_trust(self) -> None:
        """Refuse what depends on who binds a name; call when all names are known.

        `super()` must be Python's own; what is in `OF_OWN` is read of the program's variables only.
        """
        for node, name in self._of_own:
            if name not in self.scopes.variables or name in self.scopes.imported:
                self.refuse(node, names.refuse_attribute(node.attr))
        if not self.is_builtin("super"):
            for node in self._supers:
                self.refuse(node, _NO_SUPER)

    def approve(self, nodes: Iterable[ast.AST], name: str) -> None:
        """Approve the reads of one attribute among some expressions."""
        for node in nodes:
            if node.__class__ is ast.Attribute and node.attr == name:
                self.approved.add(node)

    def approve_call_by_name(self, node: ast.Call) -> None:
        """Approve `x.__setattr__(y, "name", …)` and its kin if the name is a harmless literal.

        A name that is computed is checked when it is there.
        """
        func = node.func
        if not isinstance(func, ast.Attribute) or node.keywords:
            return
        rest = 1 if func.attr == "__setattr__" else 0
        # Bound, the name comes first; unbound, as in `object.__setattr__(self, …)`, second.
        position = len(node.args) - 1 - rest
        if position not in (0, 1) or any(isinstance(arg, ast.Starred) for arg in node.args):
            return
        given = node.args[position]
        if not isinstance(given, ast.Constant):
            self._called_by_name.add(func)
            return
        if type(given.value) is not str:
            return
        writes = func.attr in ("__setattr__", "__delattr__")
        name = given.value
        if names.refuse_assignment(name) is None if writes else _is_plain(name):
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


def guard_call(guard: str, value: ast.expr, name: str, place: ast.AST) -> ast.Call:
    """Build `guard(value, name)`, which stands where another node stood."""
    func = ast.copy_location(ast.Name(id=guard, ctx=ast.Load()), place)
    constant = ast.copy_location(ast.Constant(value=name), place)
    return ast.copy_location(ast.Call(func=func, args=[value, constant], keywords=[]), place)


#: What may be a module, or a module in one.
_NAMED: Final = frozenset((ast.Name, ast.Attribute))

_NO_SUPER: Final = Rejection(
    reason="super() is not Python's own in this program",
    substitute="choose another name for what is called super",
)


def _is_plain(name: str) -> bool:
    """Whether any object's attribute of this name may be read, without a guard."""
    is_guarded = name.startswith("_") or name in names.FORMATS
    return not is_guarded and names.refuse_attribute(name) is None


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
            if not attr.isidentifier() or not _is_plain(attr):
                return False
        if spec and not (depth and _reads_harmless_attributes(spec, depth - 1)):
            return False
    return True
