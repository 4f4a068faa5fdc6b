"""`codemode check`: what is wrong with a program, before anything of it runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

import anyio
import click

from codemode.cli.budgets import budget_options, configure
from codemode.cli.catalogs import read_catalog
from codemode.cli.mcp_files import read_entries
from codemode.cli.refusal import Refusal
from codemode.cli.screen import show
from codemode.cli.settings import config_option, read_settings, silence_mcp_client
from codemode.cli.sources import read_program
from codemode.cli.streams import open_missing_streams, output_of_tools_on_stderr
from codemode.cli.tool_options import catalog_option, mcp_option, tools_option
from codemode.cli.toolbox import Toolbox
from codemode.errors import CodemodeError
from codemode.process import ProcessRuntime, ProcessRuntimeConfig
from codemode.runtime import CodeBindingNamespace
from codemode.sdk import Tool, render_sdk
from codemode.sdk.preflight import (
    ProgramFinding,
    TypeChecker,
    check_program,
    in_order,
    signatures_of,
    signed,
)
from codemode.tools import ERROR_CLASS

_EXAMPLE: Final = "\b\nExample:\n  codemode check program.py --tools tools.py:registry --types"


@click.command(epilog=_EXAMPLE, short_help="Say what is wrong with a program; run nothing.")
@click.argument("program", metavar="PROGRAM.py")
@tools_option
@mcp_option
@catalog_option
@click.option("--types", is_flag=True, help="Check types, too, with mypy: the extra 'check'.")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 for whatever is found, not only for what is sure."
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as one JSON object.")
@config_option
@budget_options
def check(  # noqa: PLR0913 - one parameter an option
    program: str,
    tools: Sequence[str],
    mcp: Sequence[Path],
    catalog: Sequence[Path],
    *,
    types: bool,
    strict: bool,
    as_json: bool,
    config: Path | None,
    **budgets: int | str | None,
) -> NoReturn:
    """Say what is wrong with a program from a file, or (-) from standard input; run nothing.

    Whatever is certain to fail keeps a program from being run; the rest is marked "perhaps".
    Exit status: 0, or 1 if something is certain to fail (with --strict: if anything was found).
    """
    open_missing_streams()
    budget = configure(budgets, read_settings(config).runtime)
    source = read_program(program)
    with output_of_tools_on_stderr():
        try:
            toolbox = Toolbox.of(tools, read_entries(mcp))
            catalogs = {str(path): read_catalog(path) for path in catalog}
            silence_mcp_client()
            findings = anyio.run(
                partial(_findings, budget, source, toolbox, catalogs, with_types=types)
            )
        except CodemodeError as error:
            raise Refusal(str(error)) from None
    if as_json:
        click.echo(json.dumps({"findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            show(f"{'' if finding.certain else 'perhaps: '}{finding}", sys.stdout)
    raise SystemExit(int(any(finding.certain or strict for finding in findings)))


async def _findings(
    config: ProcessRuntimeConfig,
    source: str,
    toolbox: Toolbox,
    catalogs: Mapping[str, Sequence[Mapping[str, object]]],
    *,
    with_types: bool,
) -> tuple[ProgramFinding, ...]:
    namespaces: dict[str, CodeBindingNamespace] = {}
    async with toolbox.opened() as own, ProcessRuntime(config) as runtime:
        _add(namespaces, own, "--tools")
        for origin, listed in catalogs.items():
            _add(namespaces, (_catalogued(listed),), origin)
        tools: list[Tool] = [*toolbox.tools, *(t for listed in catalogs.values() for t in listed)]
        known = signed(namespaces.values(), signatures_of(tools))
        findings = list(await check_program(runtime, source, known))
    if with_types and not any(finding.kind == "syntax" for finding in findings):
        stub = render_sdk(tools, form="stub")
        async with TypeChecker() as checker:
            found = await checker.check(source, stub, [*namespaces, ERROR_CLASS.name])
        # mypy says in its words what the check has said in better ones.
        told = {finding.line for finding in findings}
        findings += [one for one in found if one.line not in told]
    return in_order(findings)


def _add(
    namespaces: dict[str, CodeBindingNamespace], added: Sequence[CodeBindingNamespace], origin: str
) -> None:
    for one in added:
        there = namespaces.get(one.global_name)
        if there is not None and not there.functions.keys().isdisjoint(one.functions):
            both = min(there.functions.keys() & one.functions.keys())
            raise Refusal(f"{origin!r}: {one.global_name} has {both!r} already; leave one out")
        functions = {**(there.functions if there else {}), **one.functions}
        namespaces[one.global_name] = replace(one, functions=functions)


def _catalogued(listed: Sequence[Mapping[str, object]]) -> CodeBindingNamespace:
    async def never(_: object) -> object:
        return None

    return CodeBindingNamespace(
        global_name="tools",
        functions={str(tool.get("name")): never for tool in listed},
        error_class=ERROR_CLASS,
    )
