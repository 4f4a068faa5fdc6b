"""All stand-ins, by module and name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Final

from codemode_guest.world import zones
from codemode_guest.world.console import CONSOLE, redirected
from codemode_guest.world.stand_ins import (
    caution,
    clocks,
    functional,
    hints,
    interpreter,
    log_handlers,
    logs,
    paths,
    primitives,
    records,
    tasks,
    tracebacks,
)


def _named(module: ModuleType, names: str) -> dict[str, object]:
    return {name: getattr(module, name) for name in names.split()}


STAND_INS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "asyncio": {
            **_named(
                tasks,
                "Future Task TaskGroup as_completed create_task current_task ensure_future gather "
                "isfuture run shield wait wait_for",
            ),
            **_named(
                primitives,
                "Barrier BoundedSemaphore Condition Event LifoQueue Lock PriorityQueue Queue "
                "Semaphore Timeout timeout timeout_at",
            ),
        },
        "contextlib": dict.fromkeys(("redirect_stdout", "redirect_stderr"), redirected),
        "dataclasses": _named(records, "make_dataclass"),
        "functools": _named(functional, "update_wrapper wraps"),
        "inspect": _named(interpreter, "getmembers"),
        "logging": {
            **logs.ROOT_FUNCTIONS,
            **_named(logs, "Logger basicConfig disable getLevelName getLogger root"),
            **_named(log_handlers, "Formatter Handler NullHandler StreamHandler"),
        },
        "operator": _named(functional, "attrgetter methodcaller"),
        "pathlib": dict.fromkeys(("Path", "PosixPath"), paths.Path),
        "sys": {
            **_named(interpreter, "exc_info setrecursionlimit"),
            **dict.fromkeys(("stdout", "stderr"), CONSOLE),
        },
        "time": _named(clocks, "clock_gettime clock_gettime_ns process_time process_time_ns"),
        "traceback": _named(
            tracebacks,
            "extract_tb format_exc format_exception format_exception_only format_tb print_exc "
            "print_exception print_tb",
        ),
        "typing": _named(hints, "get_type_hints"),
        "warnings": _named(caution, "catch_warnings"),
        "zoneinfo": _named(zones, "available_timezones"),
    }
)
