"""The one rule for names that a request puts into a program, shared by all backends."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from codemode.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemode.runtime.vocabulary import CodeBindingErrorClass, CodeBindingNamespace

_PORTABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
_POLICY_FORM: Final = re.compile(r"_.*_\Z", re.DOTALL)
_DUNDER: Final = re.compile(r"__.*__\Z", re.DOTALL)

#: Globals that a backend itself owns in the program's world, of whatever language.
RESERVED_BINDING_GLOBALS: Final = frozenset(
    {"console", "__builtins__", "__name__", "__debug__", "_program_"}
)

#: Attributes that every exception of Python or ECMAScript has already.
RESERVED_ERROR_MEMBERS: Final = frozenset(
    {"name", "message", "stack", "args", "with_traceback", "add_note"}
)

# Written out, not read from `keyword`: a request that is portable must not depend on the
# version of the host's Python. Sources: the Python 3.14 and ECMAScript 2025 references, soft
# keywords and words of strict mode included.
_RESERVED_WORDS: Final = frozenset(
    [
        "False",
        "None",
        "True",
        "_",
        "and",
        "arguments",
        "as",
        "assert",
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "def",
        "default",
        "del",
        "delete",
        "do",
        "elif",
        "else",
        "enum",
        "eval",
        "except",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "from",
        "function",
        "global",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "is",
        "lambda",
        "let",
        "match",
        "new",
        "nonlocal",
        "not",
        "null",
        "or",
        "package",
        "pass",
        "private",
        "protected",
        "public",
        "raise",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "type",
        "typeof",
        "undefined",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ]
)


class InvalidNameError(UsageError):
    """A request names a global or an error member that no program could use safely."""

    def __init__(self, what: str, name: str, why: str) -> None:
        """Say which name, what it was meant for and why it cannot be."""
        super().__init__(f"{what} {name!r} {why}; choose another name")
        self.name = name


class DuplicateGlobalError(UsageError):
    """Two parts of one request claim the same global of the program."""

    def __init__(self, name: str) -> None:
        """Say which name."""
        super().__init__(
            f"the global {name!r} is claimed twice in one request; "
            "give each namespace and each error class a name of its own"
        )
        self.name = name


def refuse_bad_names(bindings: Iterable[CodeBindingNamespace]) -> None:
    """Check every name that a request brings, before anything is started.

    Namespaces may share an error class by giving an equal one.

    Raises:
        InvalidNameError: If a name is not portable, is reserved, or belongs to the policy.
        DuplicateGlobalError: If one global is claimed twice.
    """
    claimed: Counter[str] = Counter()
    error_classes: set[CodeBindingErrorClass] = set()
    for namespace in bindings:
        _refuse_global("the namespace", namespace.global_name)
        claimed[namespace.global_name] += 1
        if namespace.error_class is not None:
            error_classes.add(namespace.error_class)
    for error_class in error_classes:
        _refuse_global("the error class", error_class.name)
        _refuse_error_member(error_class.member_name_property)
        claimed[error_class.name] += 1
    for name, count in claimed.items():
        if count > 1:
            raise DuplicateGlobalError(name)


def is_portable_global(name: str) -> bool:
    """Whether a namespace or an error class may have that name."""
    try:
        _refuse_global("the name", name)
    except InvalidNameError:
        return False
    return True


def _refuse_global(what: str, name: str) -> None:
    if not _PORTABLE.match(name):
        raise InvalidNameError(
            what, name, "is not a portable identifier (ASCII letters, digits and underscores)"
        )
    if name in _RESERVED_WORDS:
        raise InvalidNameError(what, name, "is a reserved word of Python or ECMAScript")
    if name in RESERVED_BINDING_GLOBALS:
        raise InvalidNameError(what, name, "is a global that the runtime owns")
    if _POLICY_FORM.match(name):
        raise InvalidNameError(
            what, name, "has underscores at both ends, a form that programs may not use"
        )


def _refuse_error_member(name: str) -> None:
    what = "the error member"
    if not name:
        raise InvalidNameError(what, name, "is empty")
    if name in RESERVED_ERROR_MEMBERS:
        raise InvalidNameError(what, name, "is an attribute that every exception has already")
    if _DUNDER.match(name):
        raise InvalidNameError(what, name, "has the form of a special method")
