"""The prompt of a host: its sections, its variables, and who may change what comes of them."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar
from weakref import WeakKeyDictionary

from codemode.errors import UsageError
from codemode.prompt.assembly import Assembly, Draft, WireTool, assembly_of
from codemode.prompt.interpolation import interpolate, named_in
from codemode.prompt.sections import HOST_BAND, LazyText, RenderedSection, Section, text_of
from codemode.prompt.tool_order import REST, ToolOrder
from codemode.tools import Registration, Scope

#: Changes a draft by returning another, or nothing to leave it.
Listener = Callable[[Draft], Draft | Awaitable[Draft | None] | None]

L = TypeVar("L", bound=Listener)


class DuplicateSectionError(UsageError):
    """Two sections claim one name in the same scope."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the prompt section {name!r} is there already; close what added it first, or add "
            "this one in a scope, where it takes its place"
        )
        self.name = name


class Prompt:
    """Sections under their names, and the order of tools.

    Args:
        tool_order: The tools of a request by their wire names, with `*` once for all others.
    """

    def __init__(self, *, tool_order: Sequence[str] = (REST,)) -> None:
        """Begin without sections.

        Raises:
            UsageError: If the order names a tool twice, or has no `*`.
        """
        self._tool_order = ToolOrder(tool_order)
        self._global: dict[str, Section] = {}
        self._scoped: WeakKeyDictionary[Scope, dict[str, Section]] = WeakKeyDictionary()
        self._variables: dict[str, LazyText] = {}
        self._listeners: list[Listener] = []

    def section(  # noqa: PLR0913 - what a section is
        self,
        name: str,
        text: LazyText,
        *,
        order: int = HOST_BAND,
        scope: Scope | None = None,
        complete: bool = False,
        interpolate: bool = True,
    ) -> Registration:
        """Add a section, until what is returned is closed, or the scope is.

        Args:
            name: Such as `host:persona`.
            text: Or a function, async or not, that gives it at each assembly.
            order: Its place; see the bands.
            scope: Whose requests have it, and those of the scopes below; all if left out.
            complete: Whether it is the whole system text.
            interpolate: Whether `{{name}}` in it is a variable.

        Raises:
            DuplicateSectionError: If the scope has a section of that name.
        """
        layer = self._global if scope is None else self._scoped.setdefault(scope, {})
        if name in layer:
            raise DuplicateSectionError(name)
        section = Section(
            name=name, text=text, order=order, complete=complete, interpolate=interpolate
        )
        layer[name] = section

        def remove() -> None:
            if layer.get(name) is section:
                del layer[name]

        registration = Registration(remove)
        if scope is not None:
            scope.own(registration)
        return registration

    def variable(self, name: str, value: LazyText) -> None:
        """Set what `{{name}}` stands for; asked for only where a section names it."""
        self._variables[name] = value

    def on_assemble(self, listener: L) -> L:
        """Have every draft pass through `listener`, in the order of registration.

        What the last one returns is final, and is what is logged. A decorator.
        """
        self._listeners.append(listener)
        return listener

    async def assemble(
        self,
        *,
        scope: Scope | None = None,
        tools: Iterable[WireTool] = (),
        sections: Iterable[Section] = (),
    ) -> Assembly:
        """Return the system text and the tools of a request.

        Args:
            scope: Whose request it is.
            tools: Those of the request, in any order.
            sections: More of them, which the host's of the same name take the place of.

        Raises:
            UsageError: If a section cannot be interpolated, two are complete, the tool order
                names an unknown tool, or a listener returns something else than a draft.
        """
        named = {str(tool["name"]): tool for tool in tools}
        ordered = tuple(named[name] for name in self._tool_order.sorted(named))
        there = {section.name: section for section in sections}
        for layer in self._layers(scope):
            there |= layer
        in_order = sorted(there.values(), key=lambda section: (section.order, section.name))
        rendered = [await self._render(section) for section in in_order]
        draft = Draft(sections=tuple(r for r in rendered if r.text), tools=ordered)
        return assembly_of(await self._heard(draft))

    def _layers(self, scope: Scope | None) -> list[dict[str, Section]]:
        """The sections of all requests first, those of the nearest scope last."""
        layers = []
        while scope is not None:
            layers.append(self._scoped.get(scope, {}))
            scope = scope.parent
        return [self._global, *reversed(layers)]

    async def _render(self, section: Section) -> RenderedSection:
        text = await text_of(section.text)
        if section.interpolate and text:
            asked = [n for n in named_in(section.name, text) if n in self._variables]
            values = {name: await text_of(self._variables[name]) for name in asked}
            known = dict.fromkeys(self._variables, "") | values
            text = interpolate(section.name, text, known)
        return RenderedSection(
            name=section.name,
            text=text.strip("\n"),
            order=section.order,
            complete=section.complete,
        )

    async def _heard(self, draft: Draft) -> Draft:
        for listener in self._listeners:
            answer = listener(draft)
            changed = await answer if inspect.isawaitable(answer) else answer
            if changed is not None and not isinstance(changed, Draft):
                raise UsageError(
                    f"the listener {listener!r} returned {type(changed).__name__}; "
                    "return a Draft (dataclasses.replace makes one), or None to change nothing"
                )
            draft = changed or draft
        return draft
