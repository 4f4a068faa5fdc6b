"""The policy for expressions."""

# ruff: noqa: N815 - a visitor is named after its kind of node

from __future__ import annotations

import ast
from typing import Final, TypeAlias

from codemode_guest.policy import names
from codemode_guest.policy.attributes import AttributePolicy
from codemode_guest.policy.modules import PROBES
from codemode_guest.policy.scopes import Scope
from codemode_guest.policy.walk import Visited, allow, allow_bare

#: What is handed an error's traceback by name: functions of `traceback`, and what takes an error
#: in three parts.
_TRACEBACK_READERS: Final = frozenset(
    ("format_exception", "print_exception", "format_tb", "print_tb", "extract_tb", "with_traceback")
) | {"throw", "athrow", "__exit__", "__aexit__"}

#: What is asked whether an object is of the class of another.
_CLASS_READERS: Final = frozenset(("isinstance", "issubclass"))

#: Special methods that may be called with a literal name. Not `__getattr__`: what else a foreign
#: one takes is not known.
_CALLED_BY_NAME: Final = names.BY_NAME - {"__getattr__"}

_PAIR: Final = 2
_CLASS: Final = "__class__"
_TRACEBACK: Final = "__traceback__"

_Inlined: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp


class ExpressionPolicy(AttributePolicy):
    """Calls, comprehensions, and the expressions that are free."""

    visit_Constant = allow_bare("Allowed: literals of every kind.")
    visit_JoinedStr = allow("Allowed: f-strings, nested ones too.")
    visit_FormattedValue = allow("Allowed: a value in an f-string, with `!r` and a format.")
    visit_TemplateStr = allow("Allowed: t-strings (3.14); their values are read like any other.")
    visit_Interpolation = allow("Allowed: a value in a t-string.")
    visit_List = allow("Allowed: list displays and targets.")
    visit_Tuple = allow("Allowed: tuples and tuple targets, unpacked by Python itself.")
    visit_Set = allow("Allowed: set displays.")
    visit_Dict = allow("Allowed: dict displays, with `**` too.")
    visit_Starred = allow("Allowed: `*x` in calls, displays and targets.")
    visit_Subscript = allow("Allowed: items and slices, read, written and deleted.")
    visit_Slice = allow("Allowed: slices.")
    visit_UnaryOp = allow("Allowed: `-x`, `+x`, `~x`, `not x`.")
    visit_BinOp = allow("Allowed: arithmetic and bit operations, `@` and `%` on text too.")
    visit_BoolOp = allow("Allowed: `and`, `or`.")
    visit_IfExp = allow("Allowed: `a if b else c`.")
    visit_Await = allow("Allowed: `await`, at the top level and in async functions.")
    visit_keyword = allow("Allowed: keyword arguments of any name; they are keys of a dict.")
    visit_Load = visit_Store = visit_Del = allow_bare("Allowed: how a target is used.")
    visit_And = visit_Or = visit_Not = allow_bare("Allowed: an operator.")
    visit_UAdd = visit_USub = visit_Invert = allow_bare("Allowed: an operator.")
    visit_Add = visit_Sub = visit_Mult = visit_MatMult = allow_bare("Allowed: an operator.")
    visit_Div = visit_FloorDiv = visit_Mod = visit_Pow = allow_bare("Allowed: an operator.")
    visit_LShift = visit_RShift = allow_bare("Allowed: an operator.")
    visit_BitOr = visit_BitXor = visit_BitAnd = allow_bare("Allowed: an operator.")
    visit_Eq = visit_NotEq = visit_Lt = visit_LtE = allow_bare("Allowed: an operator.")
    visit_Gt = visit_GtE = visit_Is = visit_IsNot = allow_bare("Allowed: an operator.")
    visit_In = visit_NotIn = allow_bare("Allowed: an operator.")

    # --- calls ------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Visited:
        """Allowed: calls of every form.

        A traceback may be read to be handed to a function of `traceback`, and `x.__class__` to be
        called. The namespace that a class is made of by `type` is checked, for it is not a class
        body.
        """
        func = node.func
        called = (
            func.id
            if func.__class__ is ast.Name
            else func.attr
            if func.__class__ is ast.Attribute
            else None
        )
        if called in _TRACEBACK_READERS:
            self.approve([*node.args, *(keyword.value for keyword in node.keywords)], _TRACEBACK)
        elif called in _CLASS_READERS:
            self.approve(node.args, _CLASS)
        elif called == _CLASS:
            self.approve([func], _CLASS)
        elif called in _CALLED_BY_NAME:
            self.approve_call_by_name(node)
        elif called in PROBES and node.args and isinstance(node.args[0], ast.Name):
            self.probed.add(node.args[0].id)
        visited = self.node_contents_visit(node)
        if called == "type" and isinstance(func, ast.Name):
            self.check_namespace_of_type(node)
        return visited

    def visit_Compare(self, node: ast.Compare) -> Visited:
        """Allowed: comparisons, chained ones too.

        `x.__class__` may be compared with anything, and `e.__traceback__` with None.
        """
        operands = [node.left, *node.comparators]
        self.approve(operands, _CLASS)
        if len(operands) == _PAIR and any(isinstance(part, ast.Constant) for part in operands):
            self.approve(operands, _TRACEBACK)
        return self.node_contents_visit(node)

    # --- scopes within expressions ------------------------------------------------------

    def visit_ListComp(self, node: ast.ListComp) -> Visited:
        """Allowed: list comprehensions, asynchronous ones too."""
        return self._visit_inlined(node, "elt")

    def visit_SetComp(self, node: ast.SetComp) -> Visited:
        """Allowed: set comprehensions, asynchronous ones too."""
        return self._visit_inlined(node, "elt")

    def visit_DictComp(self, node: ast.DictComp) -> Visited:
        """Allowed: dict comprehensions, asynchronous ones too."""
        return self._visit_inlined(node, "key", "value")

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Visited:
        """Allowed: generator expressions, asynchronous ones too."""
        return self._visit_comprehension(node, "elt")

    def _visit_inlined(self, node: _Inlined, *results: str) -> Visited:
        """Visit a comprehension that Python runs inside the function around it."""
        weight = 2 if any(part.is_async for part in node.generators) else 1
        with self.in_block(node, weight):
            return self._visit_comprehension(node, *results)

    def _visit_comprehension(self, node: _Inlined | ast.GeneratorExp, *results: str) -> Visited:
        blocks = 0 if isinstance(node, ast.GeneratorExp) else self.scopes.innermost.blocks
        with self.inside(Scope(kind="comprehension", blocks=blocks)):
            # The targets first: they decide what the names in the result mean.
            self.visit_fields(node, "generators", *results)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Visited:
        """Allowed: `for … in … if …` in a comprehension, with targets of every form."""
        self.visit_fields(node, "iter", "target", "ifs")
        return node

    def visit_Yield(self, node: ast.Yield) -> Visited:
        """Allowed in functions; at the top level it would make a generator of the program."""
        return self._visit_yield(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Visited:
        """Allowed in functions, as `yield` is."""
        return self._visit_yield(node)

    def _visit_yield(self, node: ast.Yield | ast.YieldFrom) -> Visited:
        if self.scopes.innermost.kind == "module":
            self.refuse_syntax(node, "'yield' outside function")
        return self.node_contents_visit(node)
