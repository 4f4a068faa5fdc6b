"""What the kernel is told to refuse a guest, applied before a byte of the program is read.

Owns the layers: `prctl` flags and `rlimits`. Does not own the policy, which is about source
text. The template calls `confine_template` once, each guest `confine_guest` after its fork.
"""

from codemode_guest.confinement.prctl import die_with_parent, forbid_new_privileges
from codemode_guest.confinement.rlimits import limit_self

__all__ = ["confine_guest", "confine_template"]


def confine_template() -> None:
    """Give up, for this process and all its guests, what can be given up once."""
    forbid_new_privileges()


def confine_guest(*, parent: int, memory_bytes: int, cpu_seconds: int) -> None:
    """Confine this guest; it cannot be undone.

    Args:
        parent: The process id of the template, whose end must be this guest's end.
        memory_bytes: Address space, interpreter included.
        cpu_seconds: Whole seconds of CPU time, user plus system.
    """
    die_with_parent(parent)
    limit_self(memory_bytes=memory_bytes, cpu_seconds=cpu_seconds)
