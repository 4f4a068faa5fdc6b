"""The static policy: from a program's text to code that may run.

Owns which syntax, names and attributes a program may write, and in which words the rest is
refused. Does not own what a program finds when it runs (`world`) nor the limits on running it
(`confinement`): this is one layer, and not the one that must hold.

Below: RestrictedPython, whose default deny it inherits. Above: `program`, which runs the code.
Its core is `compiler.compile_program`; the policy itself is the docstrings of the `visit_…`
methods, joined in `transformer`.
"""

from codemode_guest.frames import FILENAME
from codemode_guest.policy.body import MAIN, NO_VALUE
from codemode_guest.policy.compiler import MAX_SOURCE_BYTES, Program, compile_program
from codemode_guest.policy.findings import Finding, Refusal
from codemode_guest.policy.names import forbidden_assignment, forbidden_attribute

__all__ = [
    "FILENAME",
    "MAIN",
    "MAX_SOURCE_BYTES",
    "NO_VALUE",
    "Finding",
    "Program",
    "Refusal",
    "compile_program",
    "forbidden_assignment",
    "forbidden_attribute",
]
