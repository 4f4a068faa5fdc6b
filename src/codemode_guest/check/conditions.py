"""Whether a condition is sure to hold where it stands."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Final

from codemode_guest.check.course import Course
from codemode_guest.check.known import Known

_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[object, object], object]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,  # type: ignore[dict-item]  # that a value has it is seen when it is used
    ast.LtE: operator.le,  # type: ignore[dict-item]
    ast.Gt: operator.gt,  # type: ignore[dict-item]
    ast.GtE: operator.ge,  # type: ignore[dict-item]
}


class Conditions(Course):
    """Follows constants, from where a name is bound to one to where it is asked for."""

    def constant(self, node: ast.expr) -> Known | None:
        """Return the constant that an expression is sure to give."""
        if isinstance(node, ast.Constant):
            return Known(node.value)
        if isinstance(node, ast.Name):
            if node.id == "__name__":
                return Known("__main__")
            found = self.read(self.variable(node.id))
            return found if isinstance(found, Known) else None
        return None

    def holds(self, test: ast.expr) -> bool:
        """Whether a condition holds in every run, as at the first round of a loop."""
        match test:
            case ast.UnaryOp(ast.Not(), operand):
                known = self.constant(operand)
                return known is not None and not known.value
            case ast.Compare(left, [comparison], [right]):
                return self._compares(self.constant(left), comparison, self.constant(right))
        known = self.constant(test)
        return known is not None and bool(known.value)

    @staticmethod
    def _compares(left: Known | None, comparison: ast.cmpop, right: Known | None) -> bool:
        if left is None or right is None:
            return False
        if isinstance(comparison, (ast.Is, ast.IsNot)):
            # Of other constants Python does not say.
            same = left.value is right.value
            is_sure = left.value is None or right.value is None
            return is_sure and same is isinstance(comparison, ast.Is)
        compare = _COMPARISONS.get(type(comparison))
        try:
            return compare is not None and bool(compare(left.value, right.value))
        except TypeError:  # a run says so, too
            return False
