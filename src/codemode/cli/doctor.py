"""`codemode doctor`: which layers of confinement are active here, and how to get the others."""

from __future__ import annotations

import json
import platform
import textwrap
from typing import Final, NoReturn

import anyio
import click

from codemode.cli.refusal import Refusal
from codemode.errors import CodemodeError
from codemode.process import (
    CURES,
    STOPS,
    Confinement,
    Containment,
    ProcessRuntime,
    ProcessRuntimeConfig,
)

_WIDTH: Final = 100
_INDENT: Final = " " * 4

_EXAMPLE: Final = "\b\nExample:\n  codemode doctor --strict"


@click.command(epilog=_EXAMPLE)
@click.option("--json", "as_json", is_flag=True, help="Print the facts as one JSON object.")
@click.option("--strict", is_flag=True, help="Exit with 1 if any layer is missing.")
def doctor(*, as_json: bool, strict: bool) -> NoReturn:
    """Start a process as for a run and tell what the kernel says of its confinement.

    Exit status: 0, or 1 if a layer is missing that is required by default (with --strict: any).
    """
    config = ProcessRuntimeConfig(confinement=Confinement.of_all("best-effort"), spare_guests=0)
    try:
        containment = anyio.run(_containment, config)
    except CodemodeError as error:
        raise Refusal(str(error)) from None
    required = Confinement.of_all("required") if strict else Confinement()
    lacking = set(containment.missing) & set(required.layers("required"))
    click.echo(_as_json(containment) if as_json else _as_table(containment))
    raise SystemExit(int(bool(lacking)))


async def _containment(config: ProcessRuntimeConfig) -> Containment:
    async with ProcessRuntime(config) as runtime:
        return await runtime.containment()


def _as_json(containment: Containment) -> str:
    layers = {
        fact.layer: {
            "active": fact.active,
            "evidence": fact.evidence,
            "stops": STOPS[fact.layer],
            "cure": None if fact.active else CURES[fact.layer],
        }
        for fact in containment.layers
    }
    return json.dumps({"machine": _machine(), "layers": layers}, indent=2)


def _as_table(containment: Containment) -> str:
    lines = [_machine()]
    for fact in containment.layers:
        lines.append(f"{'active ' if fact.active else 'MISSING'}  {fact.layer}")
        lines += _paragraph("stops", STOPS[fact.layer]) + _paragraph("kernel", fact.evidence)
        if not fact.active:
            lines += _paragraph("to get it", CURES[fact.layer])
    active = len(containment.layers) - len(containment.missing)
    return "\n".join([*lines, f"{active} of {len(containment.layers)} layers are active"])


def _machine() -> str:
    return f"{platform.system()} {platform.release()}, {platform.machine()}"


def _paragraph(label: str, text: str) -> list[str]:
    indent = _INDENT + " " * (len(label) + 2)
    return textwrap.wrap(
        f"{label}: {text}",
        _WIDTH,
        initial_indent=_INDENT,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
