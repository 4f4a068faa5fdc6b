"""What is wrong with a program, before anything runs.

Owns what a guest is told of each tool for its check, and the type check on request, in a process
of its own. Parses no program here: the guest reads it, and so does the process that runs mypy.
Below it are `runtime` and the facts of `sdk`; above it are `bridge` and `cli`. The core is
`checking.check_program`.
"""

from codemode.sdk.preflight.checking import CheckFailedError, check_program, in_order
from codemode.sdk.preflight.finding import ProgramFinding
from codemode.sdk.preflight.signing import Signatures, signatures_of, signed
from codemode.sdk.preflight.type_checker import TypeChecker, TypeCheckerError

__all__ = [
    "CheckFailedError",
    "ProgramFinding",
    "Signatures",
    "TypeChecker",
    "TypeCheckerError",
    "check_program",
    "in_order",
    "signatures_of",
    "signed",
]
