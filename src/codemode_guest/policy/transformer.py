"""The policy: every kind of syntax with its decision, each in the docstring of its visitor."""

# ruff: noqa: N815 - a visitor is named after its kind of node

from __future__ import annotations

import ast

from codemode_guest.policy.definitions import DefinitionPolicy
from codemode_guest.policy.expressions import ExpressionPolicy
from codemode_guest.policy.groups import CHECK_GROUP, SOUND, check_group
from codemode_guest.policy.patterns import PatternPolicy
from codemode_guest.policy.statements import StatementPolicy
from codemode_guest.policy.walk import Visited, Walk


class Policy(ExpressionPolicy, PatternPolicy, StatementPolicy, DefinitionPolicy):
    """Reads a module once: notes what is refused, puts guards in place, learns the names."""

    def visit_Module(self, node: ast.Module) -> Visited:
        """Allowed: the program itself."""
        self.take_out_future_imports(node)
        self.visit_list(node.body)
        self.settle_nonlocals()
        self.refuse_absent_builtins()
        self.settle_module_reads()
        self.refuse_misplaced_trust()
        self.refuse_own_splitting()
        self.check_classes_taken_apart()
        return node

    # A module never holds these: they are what other modes of the parser make, and what the
    # grammar no longer does. Refused by name, so that each node has a decision.
    visit_Interactive = visit_Expression = visit_FunctionType = Walk.generic_visit
    visit_TypeIgnore = Walk.generic_visit

    def top_level_names(self) -> list[str]:
        """Return the names that the top level binds, sorted."""
        return sorted(self.scopes.top.bound)

    def own_guards(self) -> dict[str, object]:
        """Return the guards that this program needs and that `world` does not provide."""
        return {CHECK_GROUP: check_group} if self.group_handlers and not SOUND else {}
