"""What is certain to fail, found by reading a program before any of it runs.

Owns the search for mistakes about the names and the calls of a program: members that are not
there, arguments that are sure to be rejected, calls that nobody awaits, names that nothing
binds. Does not own syntax or what is allowed (`policy`). Knows only what a `NamespaceSpec` tells.

Below: `calls` and `policy.findings`. Above: `program`. Its core is `examination.examine`.
"""

from codemode_guest.check.examination import Report, examine
from codemode_guest.check.surroundings import World

__all__ = ["Report", "World", "examine"]
