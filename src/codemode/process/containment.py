"""What really confines a guest, as the kernel tells it of a living one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from codemode.errors import RuntimeFault
from codemode_guest.confinement import LAYERS, Layer

if TYPE_CHECKING:
    from codemode.process.config import Confinement
    from codemode.process.guest import Guest
    from codemode.process.template import Template

#: What each layer stops, when everything above it has been beaten.
STOPS: Final[Mapping[Layer, str]] = MappingProxyType(
    {
        "resource_limits": "taking more memory or CPU time, new descriptors, writing files",
        "no_new_privileges": "gaining rights by starting a setuid program",
        "unprivileged_user": "reading and writing what belongs to root",
        "capabilities": "mounting, loading modules, tracing, changing the user",
        "seccomp": "every system call but those of computing: files, sockets, processes, kernel",
        "landlock": "opening any file, connecting, tracing or signalling a process outside",
        "user_namespace": "looking into processes of the host's user, gaining rights on the host",
        "pid_namespace": "naming, and so killing, any process of the host; leaving one behind",
        "network_namespace": "reaching any network, the host's own ports too",
        "mount_namespace": "naming any file or directory",
        "ipc_namespace": "reaching shared memory and queues of the host",
    }
)

_NAMESPACES_CURE: Final = (
    "needs a user namespace: as an ordinary user allow it (sysctl user.max_user_namespaces above "
    "0, kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0 "
    "where they exist), in a container give it a seccomp profile that permits unshare, clone and "
    "mount, or CAP_SYS_ADMIN"
)
#: How to get a layer that is missing.
CURES: Final[Mapping[Layer, str]] = MappingProxyType(
    {
        "resource_limits": "raise the hard limits of this process (ulimit -H) above the budgets",
        "no_new_privileges": "use Linux 3.5 or newer",
        "unprivileged_user": (
            "run as an ordinary user, or let root change its user (CAP_SETUID and CAP_SETGID, "
            "uid 65534 mapped)"
        ),
        "capabilities": "permit prctl and capset in the container's seccomp profile",
        "seccomp": (
            "use x86-64 or aarch64 with CONFIG_SECCOMP_FILTER, permit the seccomp call in the "
            "container's own profile, and keep no_new_privileges"
        ),
        "landlock": (
            "use Linux 5.13 or newer with landlock among its security modules (the boot parameter "
            "lsm=landlock,...), and permit the landlock calls in the container's seccomp profile"
        ),
        "user_namespace": _NAMESPACES_CURE,
        "pid_namespace": _NAMESPACES_CURE,
        "network_namespace": _NAMESPACES_CURE,
        "mount_namespace": _NAMESPACES_CURE,
        "ipc_namespace": _NAMESPACES_CURE,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFact:
    """One layer, as it is.

    Attributes:
        layer: Its name in `Confinement`.
        active: Whether it is in force.
        evidence: What the kernel says of it; for a missing one, why.
    """

    layer: Layer
    active: bool
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Containment:
    """What confines the guests of one runtime.

    Attributes:
        layers: A fact for each layer, in the order of `Confinement`.
    """

    layers: tuple[LayerFact, ...]

    @property
    def missing(self) -> tuple[Layer, ...]:
        """The layers that are not in force."""
        return tuple(fact.layer for fact in self.layers if not fact.active)


class MissingLayerError(RuntimeFault):
    """A layer of confinement is required, and this machine does not give it."""

    def __init__(self, missing: Mapping[Layer, str]) -> None:
        """Say which, why, and how to get it or do without."""
        super().__init__(
            "the confinement that is required cannot be had here. "
            + " ".join(
                f"{layer} is missing ({why}): {CURES[layer]}." for layer, why in missing.items()
            )
            + " To run without, set its field of `Confinement` to 'best-effort'; "
            "`codemode doctor` shows what there is"
        )
        self.layers = tuple(missing)


class UnknownContainmentError(RuntimeFault):
    """A guest could not be looked at, so that nobody knows what confines it."""

    def __init__(self, said: str) -> None:
        """Quote what it said, or the system."""
        super().__init__(
            "the process that was to be looked at did not get ready; run `codemode doctor` on an "
            f"idle machine. It said: {said.strip() or '(nothing)'}"
        )


class _Proc:
    """What `/proc` tells of a guest, and of the template whose namespaces it shares."""

    def __init__(self, guest_pid: int, template_pid: int, missing: Mapping[Layer, str]) -> None:
        text = Path(f"/proc/{guest_pid}/status").read_text(encoding="utf-8")
        self.status = dict(line.split(":\t", 1) for line in text.splitlines())
        self.limits = Path(f"/proc/{guest_pid}/limits").read_text(encoding="ascii")
        self.template_pid = template_pid
        self.missing = missing

    def differs(self, layer: Layer, kind: str) -> tuple[bool, str]:
        """Whether a namespace is another one than this process's own, and which."""
        try:
            theirs = Path(f"/proc/{self.template_pid}/ns/{kind}").readlink()
        except PermissionError:
            return layer not in self.missing, "as the template says: it may not be read from here"
        ours = Path(f"/proc/self/ns/{kind}").readlink()
        return theirs != ours, f"{theirs}, the host's {ours}"


def read_containment(template: Template, guest: Guest, asked: Confinement) -> Containment:
    """Return the facts about a living guest that has said it is ready.

    Landlock alone leaves no trace that could be read from outside: for it, a child of the
    template has tried to read a directory, confined as guests are.

    Raises:
        OSError: If it ends meanwhile.
    """
    if guest.pid is None or template.pid is None:
        facts = dict.fromkeys(LAYERS, (False, "this system does not tell"))
    else:
        proc = _Proc(guest.pid, template.pid, template.missing)
        facts = {layer: read(proc) for layer, read in _READERS.items()}
        facts["landlock"] = _landlock(asked, template.missing)
    return Containment(
        layers=tuple(
            LayerFact(
                layer=layer,
                active=facts[layer][0],
                evidence=facts[layer][1] + _reason(layer, facts[layer][0], asked, template),
            )
            for layer in LAYERS
        )
    )


def _reason(layer: Layer, active: bool, asked: Confinement, template: Template) -> str:  # noqa: FBT001
    if active:
        return ""
    if getattr(asked, layer) == "off":
        return "; off in the configuration"
    return f"; {template.missing[layer]}" if layer in template.missing else ""


def _landlock(asked: Confinement, missing: Mapping[Layer, str]) -> tuple[bool, str]:
    if asked.landlock == "off" or "landlock" in missing:
        return False, "not in force"
    return True, "the root directory could not be read (EACCES)"


def _limits(proc: _Proc) -> tuple[bool, str]:
    # A name takes 26 columns, the soft limit follows, then the hard one.
    rows = [(line[:26].strip(), line[26:].split()) for line in proc.limits.splitlines()[1:]]
    hard = {name: values[1] for name, values in rows}
    none = ("Max file size", "Max core file size", "Max open files", "Max processes")
    bounded = ("Max address space", "Max cpu time")
    active = all(hard[n] == "0" for n in none) and all(hard[n] != "unlimited" for n in bounded)
    return active, ", ".join(f"{name[4:]} {hard[name]}" for name in (*bounded, *none))


def _no_new_privileges(proc: _Proc) -> tuple[bool, str]:
    return proc.status["NoNewPrivs"] == "1", f"NoNewPrivs: {proc.status['NoNewPrivs']}"


def _user(proc: _Proc) -> tuple[bool, str]:
    users = proc.status["Uid"].split()
    return "0" not in users, f"Uid: {' '.join(users)}"


def _capabilities(proc: _Proc) -> tuple[bool, str]:
    sets = {name: int(proc.status[name], 16) for name in ("CapPrm", "CapEff", "CapInh", "CapAmb")}
    bound = int(proc.status["CapBnd"], 16)
    # Who may not drop those that could be gained can't gain them either, without new privileges.
    active = not any(sets.values()) and (not bound or proc.status["NoNewPrivs"] == "1")
    return active, ", ".join(
        f"{name} {held:x}" for name, held in (*sets.items(), ("CapBnd", bound))
    )


def _seccomp(proc: _Proc) -> tuple[bool, str]:
    filters = proc.status.get("Seccomp_filters", "?")
    # A container has a filter of its own.
    ours = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(r"Seccomp_filters:\t(\d+)", ours)
    before = found.group(1) if found else "?"
    active = proc.status["Seccomp"] == "2" and (before == "?" or int(filters) > int(before))
    return active, f"Seccomp: {proc.status['Seccomp']}, filters: {filters}, the host's {before}"


def _pid_namespace(proc: _Proc) -> tuple[bool, str]:
    numbers = proc.status["NSpid"].split()
    return len(numbers) > 1, f"NSpid: {' '.join(numbers)}"


_READERS: Final[Mapping[Layer, Callable[[_Proc], tuple[bool, str]]]] = MappingProxyType(
    {
        "resource_limits": _limits,
        "no_new_privileges": _no_new_privileges,
        "unprivileged_user": _user,
        "capabilities": _capabilities,
        "seccomp": _seccomp,
        "user_namespace": lambda proc: proc.differs("user_namespace", "user"),
        "pid_namespace": _pid_namespace,
        "network_namespace": lambda proc: proc.differs("network_namespace", "net"),
        "mount_namespace": lambda proc: proc.differs("mount_namespace", "mnt"),
        "ipc_namespace": lambda proc: proc.differs("ipc_namespace", "ipc"),
    }
)
