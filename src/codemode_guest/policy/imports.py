"""The policy for imports: which names they bind, and what is said of modules that are not there."""

from __future__ import annotations
import __future__

import ast
import sys
from typing import Final, TypeGuard

from codemode_guest.policy import names
from codemode_guest.policy.advice import Rejection
from codemode_guest.policy.modules import ModulePolicy
from codemode_guest.policy.variables import VariablePolicy
from codemode_guest.policy.walk import Reading, Visited, allow_bare


class ImportPolicy(VariablePolicy, ModulePolicy):
    """Import statements, at the top level and inside functions."""

    visit_alias = allow_bare("Allowed: `name as other`; the import statement checks both.")

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        #: For the compiler.
        self.future_flags = 0

    def visit_Import(self, node: ast.Import) -> Visited:
        """Allowed: modules of the table, under any ordinary name."""
        for alias in node.names:
            self.require_module(alias, alias.name)
            outer = alias.name.partition(".")[0]
            # `import a.b as c` binds the inner module, `import a.b` the outer one.
            self._bind_imported(alias, alias.asname or outer, alias.name if alias.asname else outer)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Visited:
        """Allowed: public names that a module of the table offers.

        A star import is written out here, at the top level only, as Python has it. Relative
        imports are refused: a program is in no package.
        """
        if _is_future(node):
            return node  # one that is left is misplaced, and the compiler says so
        if node.level:
            self.refuse(node, _RELATIVE)
            return node
        module = node.module or ""
        self.require_module(node, module)
        if node.names[0].name == "*":
            return self._write_out(node, module)
        for alias in node.names:
            self._check_imported(alias, module, alias.name)
            # Whether that is a module is asked where something is read of it.
            self._bind_imported(alias, alias.asname or alias.name, f"{module}.{alias.name}")
        return node

    def visit_annotation(self, node: ast.AST, field: str, *, evaluated: bool = True) -> None:
        """Visit an annotation, which may name what a module lacks where nothing evaluates it."""
        if getattr(node, field) is None:
            return
        lazy = not evaluated or _LAZY or self.future_flags & __future__.annotations.compiler_flag
        self.read_fallbacks += bool(lazy)
        self.visit_fields(node, field)
        self.read_fallbacks -= bool(lazy)

    def take_out_future_imports(self, module: ast.Module) -> None:
        """Turn the `from __future__` imports at the beginning of a program into flags."""
        statements = module.body
        position = int(ast.get_docstring(module, clean=False) is not None)
        while position < len(statements) and _is_future(statement := statements[position]):
            for alias in statement.names:
                if alias.name in __future__.all_feature_names:
                    feature: __future__._Feature = getattr(__future__, alias.name)
                    self.future_flags |= feature.compiler_flag
                else:
                    self.refuse_syntax(statement, f"future feature {alias.name} is not defined")
            del statements[position]

    def _write_out(self, node: ast.ImportFrom, module: str) -> Visited:
        """Replace `*` by the names that it stands for."""
        if self.scopes.innermost.kind != "module":
            self.refuse_syntax(node, "import * only allowed at module level")
            return node
        public = self.reading.public_names
        listed = sorted(public(module)) if public is not None else []
        if not listed:
            self.refuse(node, _STAR)
            return ast.copy_location(ast.Pass(), node)  # the compiler would refuse it once more
        node.names = [ast.copy_location(ast.alias(name=name), node) for name in listed]
        for name in listed:
            self._bind_imported(node, name)
        return node

    def _bind_imported(self, node: ast.AST, name: str, module: str | None = None) -> None:
        self.bind(node, name, module=module)
        self.scopes.imported.add(name)

    def _check_imported(self, node: ast.AST, module: str, name: str) -> None:
        if name.startswith("_"):
            reason = f"a module's private name {name!r} cannot be imported"
            self.refuse(node, Rejection(reason=reason, substitute="import a public name"))
        else:
            self.refuse(node, names.refuse_attribute(name))
            self.require_name(node, module, name)


#: From 3.14 on an annotation is evaluated when it is asked for (PEP 649).
_LAZY: Final = sys.version_info >= (3, 14)

_RELATIVE: Final = Rejection(
    reason="a program is in no package, so nothing can be imported relative to it",
    substitute="write the full name of a module",
)
_STAR: Final = Rejection(
    reason="what a star import would bind is not known here",
    substitute="write the names that you need: from … import a, b",
)


def _is_future(statement: ast.stmt) -> TypeGuard[ast.ImportFrom]:
    return (
        isinstance(statement, ast.ImportFrom)
        and statement.module == "__future__"
        and not statement.level
    )
