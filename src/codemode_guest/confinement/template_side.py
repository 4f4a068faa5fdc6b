"""What a template gives up once, for itself and for all its guests."""

from __future__ import annotations

from collections.abc import Collection

from codemode_guest.confinement.layers import LINUX, Attempts, Layer
from codemode_guest.confinement.namespaces import leave_the_host, move_to_child
from codemode_guest.confinement.privileges import drop_capabilities, forbid_new_privileges


def confine_template(wanted: Collection[Layer]) -> Attempts:
    """Confine this process, which has one thread and will open nothing more.

    Returns in the process that is the template from now on: with a PID namespace that is a child,
    and whoever started this process is its parent.

    Args:
        wanted: The layers to put in force; those of the guests themselves are left alone.
    """
    attempts = Attempts(wanted)
    if not LINUX:
        attempts.missing.update(dict.fromkeys(wanted, "only Linux has it"))
        return attempts
    leave_the_host(attempts)
    if "pid_namespace" in attempts.made:
        move_to_child()
    attempts.make("capabilities", drop_capabilities)
    attempts.make("no_new_privileges", forbid_new_privileges)
    return attempts
