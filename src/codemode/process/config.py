"""The budgets and limits of the process backend, validated where they are given."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from codemode_guest.confinement import LAYERS, Layer

_MIB: Final = 2**20
#: The longest wait that every clock here can express, as setitimer(2) and poll(2) can: 24 days.
_MAX_MS: Final = 2**31 - 1

Milliseconds = Annotated[int, Field(gt=0, le=_MAX_MS)]
Demand = Literal["required", "best-effort", "off"]
_EVERYWHERE: Final[Demand] = "required" if sys.platform == "linux" else "best-effort"

Count = Annotated[int, Field(gt=0, le=1_000_000_000)]


class Confinement(BaseModel):
    """What is asked of each layer of confinement; `docs/threat-model.md` says what each stops.

    `required`: without it the runtime does not open. `best-effort`: it is put in force where the
    system permits, and `ProcessRuntime.containment()` tells whether it is. `off`: it is not tried.

    The defaults require what every Linux gives every process, in a container too, and take the
    rest where it is to be had. Elsewhere nothing is required.

    Attributes:
        resource_limits: Of memory, CPU time, descriptors, files, processes and dumps.
        no_new_privileges: No program gains any by being started.
        unprivileged_user: Not root: a guest of root's is `nobody`.
        capabilities: None, nor any to be gained.
        seccomp: The system calls of computing, and no others.
        landlock: No file, no port, no process outside.
        user_namespace: No standing among the users of the machine.
        pid_namespace: No process can be named but the template and its guests.
        network_namespace: A network without an interface.
        mount_namespace: An empty root directory.
        ipc_namespace: No shared memory, queue or host name of others.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    resource_limits: Demand = _EVERYWHERE
    no_new_privileges: Demand = _EVERYWHERE
    unprivileged_user: Demand = "best-effort"
    capabilities: Demand = _EVERYWHERE
    seccomp: Demand = _EVERYWHERE
    landlock: Demand = "best-effort"
    user_namespace: Demand = "best-effort"
    pid_namespace: Demand = "best-effort"
    network_namespace: Demand = "best-effort"
    mount_namespace: Demand = "best-effort"
    ipc_namespace: Demand = "best-effort"

    @classmethod
    def of_all(cls, demand: Demand) -> Self:
        """Ask the same of every layer."""
        return cls(**dict.fromkeys(cls.model_fields, demand))

    def layers(self, *demands: Demand) -> tuple[Layer, ...]:
        """Return the layers of which one of these is asked."""
        return tuple(layer for layer in LAYERS if getattr(self, layer) in demands)


#: A profile by name stands for a `Confinement` of one demand.
PROFILES: Final[Mapping[str, Demand]] = MappingProxyType(
    {"strict": "required", "best-effort": "best-effort", "off": "off"}
)


def _confinement_of(given: object) -> object:
    if isinstance(given, str) and given in PROFILES:
        return Confinement.of_all(PROFILES[given])
    return given


class ProcessRuntimeConfig(BaseModel):
    """What every run of one runtime may use.

    Attributes:
        compute_ms: CPU time of the program, compiling included, and what the host spends on
            reading its large messages. Waiting for a call or a sleep costs none.
        max_wall_ms: Time from start to end, less what was parked for a person.
        max_parked_ms: Time in which bindings waited for a person, all waits together.
        memory_bytes: Address space of the process, the interpreter's own share (some 60 MiB)
            included.
        max_output_bytes: Logs, completion value and failure message together, as JSON.
        max_calls: Calls of one run.
        max_pending_calls: Calls of one run that are with the host at once; more wait in the
            guest, in order.
        max_frame_bytes: The longest message of a guest, and with it the longest arguments of
            a call.
        max_frame_parts: The most values within values of one message. Each takes the host some
            hundred bytes of memory, so this and `max_frame_bytes`, both twice (one message that
            is read, and the arguments of all calls at once), bound what a program can take.
        binding_grace_ms: How long a binding may take to end when its run is over and it has
            been cancelled. One that takes longer is left behind, with a warning in the log.
        max_concurrent_runs: More runs wait, first come, first served. Each takes three
            descriptors of the host.
        spare_guests: Processes kept ready ahead of need; each is used once.
        confinement: What is asked of each layer, or a profile for all of them: `strict` (every
            layer is required), `best-effort`, `off`.
        guests_per_template: After so many forks the template is replaced, and with it the
            layout of the address space that its guests share.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    compute_ms: Milliseconds = 60_000
    max_wall_ms: Milliseconds = 600_000
    max_parked_ms: Milliseconds = 86_400_000
    memory_bytes: Annotated[int, Field(ge=32 * _MIB, le=2**46)] = 512 * _MIB
    max_output_bytes: Annotated[int, Field(ge=4, le=2**31)] = 1 * _MIB
    max_calls: Count = 100_000
    max_pending_calls: Annotated[int, Field(gt=0, le=10_000)] = 128
    max_frame_bytes: Annotated[int, Field(ge=2**16, le=2**31)] = 16 * _MIB
    max_frame_parts: Annotated[int, Field(ge=2**10, le=2**31)] = 1_000_000
    binding_grace_ms: Milliseconds = 5_000
    max_concurrent_runs: Annotated[int, Field(gt=0, le=100_000)] = 256
    spare_guests: Annotated[int, Field(ge=0, le=1_000)] = 1
    guests_per_template: Count = 1_000
    confinement: Annotated[Confinement, BeforeValidator(_confinement_of)] = Confinement()
