"""The policy for what a module offers: what is not there is said before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from codemode_guest.policy.advice import Rejection
from codemode_guest.policy.walk import Reading, Walk

#: Handlers for these, or a `suppress` of them, expect that an import or a read may fail.
_ANYTHING: Final = frozenset(("Exception", "BaseException"))
_IMPORT_FAILURES: Final = _ANYTHING | {"ImportError", "ModuleNotFoundError"}
_READ_FAILURES: Final = _ANYTHING | {"AttributeError", "NameError"}

#: A program that asks these of a module is ready for what is not in it.
PROBES: Final = frozenset(("hasattr", "getattr", "dir", "vars"))


class ModulePolicy(Walk):
    """Which modules and names must be there, and which of those are not."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        #: How many statements around expect that an import, or a read, fails.
        self.import_fallbacks = 0
        self.read_fallbacks = 0
        #: Names of modules that the program asks what they have.
        self.probed: set[str] = set()
        self._reads: list[tuple[ast.Attribute, str]] = []
        self._are_modules: dict[str, bool] = {}
        for module in reading.always_there:
            self.scopes.modules[module] = module

    @contextmanager
    def expecting_failure(self, *, of_imports: bool, of_reads: bool) -> Iterator[None]:
        """Read a part of the program that is ready for what is not there, or never runs."""
        self.import_fallbacks += of_imports
        self.read_fallbacks += of_reads
        yield
        self.import_fallbacks -= of_imports
        self.read_fallbacks -= of_reads

    @contextmanager
    def expecting(self, errors: list[ast.expr | None]) -> Iterator[None]:
        """Read the body of a statement that lets errors of these kinds go no further."""
        names = set(_names(errors))
        with self.expecting_failure(
            of_imports=bool(names & _IMPORT_FAILURES), of_reads=bool(names & _READ_FAILURES)
        ):
            yield

    def is_module(self, full_name: str) -> bool:
        """Whether a module of this name can be imported, as far as is known."""
        if full_name not in self._are_modules:
            explain = self.reading.explain_import
            self._are_modules[full_name] = explain is not None and explain(full_name) is None
        return self._are_modules[full_name]

    def require_module(self, node: ast.AST, module: str) -> None:
        """Refuse a module that is not there, unless the program is ready for that."""
        if any(part.startswith("_") for part in module.split(".")):
            reason = f"the module {module!r} is private"
            self.refuse(node, Rejection(reason=reason, substitute="import a public module"))
            return
        explain = self.reading.explain_import
        substitute = None if explain is None or self.import_fallbacks else explain(module)
        if substitute is not None:
            reason = f"the module {module!r} is not available"
            self.refuse(node, Rejection(reason=reason, substitute=substitute))

    def require_name(self, node: ast.AST, module: str, name: str) -> None:
        """Refuse the import of a name that its module does not offer, in the same way."""
        if not self.import_fallbacks and self.is_module(module):
            self._refuse_missing(node, module, name)

    def note_read(self, node: ast.Attribute) -> None:
        """Note a read of what may be a module, or a module in a module; its import may follow."""
        root: ast.expr = node.value
        while root.__class__ is ast.Attribute:
            root = root.value
        if root.__class__ is ast.Name and not self.read_fallbacks:
            self._reads.append((node, root.id))

    def settle_module_reads(self) -> None:
        """Refuse reads of what modules do not offer; call when all names are known.

        The name of a module is put there as text: what stands for a module has none.
        """
        for node, name in self._reads:
            if name in self.scopes.modules and self._is_module_throughout(name):
                module = self._module_read(node.value, self.scopes.modules[name])
                if module is not None and node.attr == "__name__":
                    # In place, wherever it stands.
                    node.__class__ = ast.Constant  # type: ignore[assignment]
                    node.value, node.kind = module, None  # type: ignore[assignment,attr-defined]
                elif module is not None:
                    self._refuse_missing(node, module, node.attr)

    def _is_module_throughout(self, name: str) -> bool:
        """Whether a name stands for one module wherever it is read, and nobody asks what it has."""
        scopes = self.scopes
        if name in scopes.rebound or name in self.probed or name in self.reading.provided:
            return False
        return name in scopes.variables or name in self.reading.always_there

    def _module_read(self, node: ast.expr, module: str) -> str | None:
        """The module that `a.b.c` is, where `a` is the module; None if it is something else."""
        if isinstance(node, ast.Attribute):
            outer = self._module_read(node.value, module)
            module = f"{outer}.{node.attr}"
            if outer is None:
                return None
        return module if self.is_module(module) else None

    def _refuse_missing(self, node: ast.AST, module: str, name: str) -> None:
        explain = self.reading.explain_name
        if explain is None or (name.startswith("__") and name.endswith("__")):
            return
        substitute = "use a public name" if name.startswith("_") else explain(module, name)
        if substitute is not None:
            reason = f"{module}.{name} is not available"
            self.refuse(node, Rejection(reason=reason, substitute=substitute))


def suppressed(item: ast.withitem) -> list[ast.expr | None]:
    """Return what `with suppress(…)` keeps from going further; nothing for other managers."""
    call = item.context_expr
    if not isinstance(call, ast.Call):
        return []
    func = call.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", None)
    return list(call.args) if name == "suppress" else []


def is_type_checking(test: ast.expr) -> bool:
    """Whether this is `TYPE_CHECKING`, which is false when a program runs."""
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", None)
    return name == "TYPE_CHECKING"


def _names(errors: list[ast.expr | None]) -> Iterator[str]:
    """Yield the names of exceptions; a bare handler takes them all."""
    for error in errors:
        if error is None:
            yield "BaseException"
        elif isinstance(error, ast.Tuple):
            yield from _names(list(error.elts))
        elif isinstance(error, ast.Name):
            yield error.id
