"""The tools of one command: those of Python files, and those of MCP servers."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import click

from codemode.cli.refusal import Refusal
from codemode.cli.sources import load_tools
from codemode.runtime import Binding, CodeBindingNamespace
from codemode.sdk.preflight import signatures_of, signed
from codemode.tools import ToolDefinition, ToolRegistry

if TYPE_CHECKING:
    from codemode.adapters.mcp import McpServers, ServerEntry

_log: Final = logging.getLogger("codemode.cli")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """What a program is given.

    Attributes:
        registry: Has the tools of servers beside its own; `None` if there is neither.
        namespaces: Come as they are.
        entries: Servers, not started yet.
    """

    registry: ToolRegistry | None
    namespaces: tuple[CodeBindingNamespace, ...]
    entries: Mapping[str, ServerEntry]

    @classmethod
    def of(cls, specs: Sequence[str], entries: Mapping[str, ServerEntry]) -> Toolbox:
        """Load what `--tools` names.

        Raises:
            Refusal: If something cannot be loaded, or two claim one global of the program.
        """
        claimed: dict[str, CodeBindingNamespace | None] = {}
        registry: ToolRegistry | None = None
        for spec in specs:
            found = load_tools(spec)
            if isinstance(found, ToolRegistry):
                registry, name, namespace = found, "tools", None
            else:
                name, namespace = found.global_name, found
            if name in claimed:
                raise Refusal(
                    f"--tools {spec!r} is the global {name!r} of the program, as the tools "
                    "before it are; put them into one ToolRegistry, or give a "
                    "CodeBindingNamespace with another global_name"
                )
            claimed[name] = namespace
        return cls(
            registry=ToolRegistry() if registry is None and entries else registry,
            namespaces=tuple(n for n in claimed.values() if n is not None),
            entries=entries,
        )

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """Those of which the arguments are known."""
        return () if self.registry is None else self.registry.tools

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[list[CodeBindingNamespace]]:
        """Start the servers, and give all globals of the program while they run."""
        if not self.entries or self.registry is None:
            yield self._globals()
            return
        from codemode.adapters.mcp import McpServers  # noqa: PLC0415 - an extra

        async with McpServers(self.entries, self.registry) as servers:
            tell_problems(servers)
            yield self._globals()

    def _globals(self) -> list[CodeBindingNamespace]:
        others = (_telling_failures(namespace) for namespace in self.namespaces)
        return [*signed(self._own(), signatures_of(self.tools)), *others]

    def _own(self) -> Sequence[CodeBindingNamespace]:
        return () if self.registry is None else self.registry.binding_namespaces()


def _telling_failures(namespace: CodeBindingNamespace) -> CodeBindingNamespace:
    """Return the same with its failures logged where they happen, as a registry does itself."""

    def telling(name: str, call: Binding) -> Binding:
        async def told(arguments: object) -> object:
            try:
                return await call(arguments)
            except Exception as error:
                _log.info("the call of %r failed", name, exc_info=error)
                raise

        return told

    functions = {name: telling(name, call) for name, call in namespace.functions.items()}
    return replace(namespace, functions=functions)


def tell_problems(servers: McpServers) -> None:
    """Say on standard error which servers are missing, and what is odd about the others."""
    for server in servers.all:
        explanation = server.explanation
        for words in ([] if explanation is None else [explanation]) + list(server.notes):
            click.echo(f"server {server.name!r}: {words}", err=True)
