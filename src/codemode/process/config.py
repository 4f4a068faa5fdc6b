"""The budgets and limits of the process backend, validated where they are given."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

_MIB: Final = 2**20
#: The longest wait that every clock here can express, as setitimer(2) and poll(2) can: 24 days.
_MAX_MS: Final = 2**31 - 1

Milliseconds = Annotated[int, Field(gt=0, le=_MAX_MS)]
Count = Annotated[int, Field(gt=0, le=1_000_000_000)]


class ProcessRuntimeConfig(BaseModel):
    """What every run of one runtime may use.

    Attributes:
        compute_ms: CPU time of the program, compiling included. Waiting for a call or a sleep
            costs none.
        max_wall_ms: Time from start to end, less what was parked for a person.
        max_parked_ms: Time in which bindings waited for a person, all waits together.
        memory_bytes: Address space of the process, the interpreter's own share (some 60 MiB)
            included.
        max_output_bytes: Logs, completion value and failure message together, as JSON.
        max_calls: Calls of one run.
        max_pending_calls: Calls of one run that are with the host at once; more wait in the
            guest, in order.
        max_frame_bytes: The longest message of a guest, and with it the longest arguments of
            a call. The host's memory for one run is bounded by a small multiple of it.
        max_concurrent_runs: More runs wait, first come, first served. Each takes three
            descriptors of the host.
        spare_guests: Processes kept ready ahead of need; each is used once.
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
    max_frame_bytes: Annotated[int, Field(ge=2**16, le=2**31)] = 64 * _MIB
    max_concurrent_runs: Annotated[int, Field(gt=0, le=100_000)] = 256
    spare_guests: Annotated[int, Field(ge=0, le=1_000)] = 1
    guests_per_template: Count = 1_000
