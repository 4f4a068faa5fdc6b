"""The policy for imports: which names they bind, and what is said of modules that are not there."""

from __future__ import annotations
import __future__

import ast
from typing import Final, TypeGuard

from codemode_guest.policy import names
from codemode_guest.policy.names import Rejection
from codemode_guest.policy.variables import VariablePolicy
from codemode_guest.policy.walk import Reading, Visited, allow_bare

#: Handlers for these expect that an import may fail.
_IMPORT_FAILURES: Final = frozenset(
    ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
)


class ImportPolicy(VariablePolicy):
    """Import statements, at the top level and inside functions."""

    visit_alias = allow_bare("Allowed: `name as other`; the import statement checks both.")

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        #: How many `try` statements around expect that an import fails.
        self.fallbacks = 0
        #: For the compiler.
        self.future_flags = 0

    def visit_Import(self, node: ast.Import) -> Visited:
        """Allowed: modules of the table, under any ordinary name."""
        for alias in node.names:
            self._check_module(alias, alias.name)
            self._bind_imported(alias, alias.asname or alias.name.partition(".")[0])
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Visited:
        """Allowed: public names of a module of the table.

        A star import is written out here, at the top level only, as Python has it. Relative
        imports are refused: a program is in no package.
        """
        if _is_future(node):
            return node  # one that is left is misplaced, and the compiler says so
        if node.level:
            self.refuse(node, _RELATIVE)
            return node
        module = node.module or ""
        self._check_module(node, module)
        if node.names[0].name == "*":
            return self._write_out(node, module)
        for alias in node.names:
            self._check_imported(alias, alias.name)
            self._bind_imported(alias, alias.asname or alias.name)
        return node

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

    def _bind_imported(self, node: ast.AST, name: str) -> None:
        self.bind(node, name)
        self.scopes.imported.add(name)

    def _check_module(self, node: ast.AST, module: str) -> None:
        """Refuse a module that is not there, unless the program is ready for that."""
        if any(part.startswith("_") for part in module.split(".")):
            self.refuse(
                node, Rejection(reason=f"the module {module!r} is private", substitute=None)
            )
            return
        explain = self.reading.explain_import
        substitute = explain(module) if explain is not None and not self.fallbacks else None
        if substitute is not None:
            reason = f"the module {module!r} is not available"
            self.refuse(node, Rejection(reason=reason, substitute=substitute))

    def _check_imported(self, node: ast.AST, name: str) -> None:
        if name.startswith("_"):
            reason = f"a module's private name {name!r} cannot be imported"
            self.refuse(node, Rejection(reason=reason, substitute="import a public name"))
        else:
            self.refuse(node, names.refuse_attribute(name))


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


def expects_import_failure(handlers: list[ast.ExceptHandler]) -> bool:
    """Whether one of the handlers of a `try` statement catches a failing import."""
    for handler in handlers:
        caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in caught:
            if kind is None or (isinstance(kind, ast.Name) and kind.id in _IMPORT_FAILURES):
                return True
    return False
