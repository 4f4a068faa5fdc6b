"""Scopes: views of one registry, each with tools, restrictions and policies of its own.

What a scope has, its children have too, unless they shadow or mask it. A scope is for order,
not for authority: whoever holds one can reach the registry.
"""

# ruff: noqa: SLF001 - a scope reads those above and below it, which are of its own class
from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, MutableMapping
from types import TracebackType
from typing import Final, Self, TypeVar, Unpack, get_args, overload

from codemode.runtime import AbortSignal
from codemode.session import EventSink
from codemode.tools.approval import ApprovalHandler, Approvals
from codemode.tools.claims import refuse_bad_claims
from codemode.tools.config import ToolsConfig
from codemode.tools.definition import Presentation, ToolDefinition
from codemode.tools.errors import ScopeError, ToolSignatureError
from codemode.tools.hook_points import HookPoints
from codemode.tools.hooks import Hooks
from codemode.tools.layer import Layer
from codemode.tools.masks import Mask, refuse_bad_mask
from codemode.tools.outer_calls import call_tool
from codemode.tools.program_calls import ProgramCalls
from codemode.tools.registration import ChangeKind, Registration, ToolsChange
from codemode.tools.results import ToolResult
from codemode.tools.typed import Metadata, define
from codemode.tools.view import View

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


_log: Final = logging.getLogger("codemode.tools")


class Scope(HookPoints):
    """A view of a registry for one agent, task or tenant.

    Made by `registry.scope(name)` or `scope.scope(name)`. Closing it takes back all that was
    done through it and its children.
    """

    def __init__(
        self,
        name: str,
        parent: Scope | None,
        config: ToolsConfig,
        approval: ApprovalHandler | None,
    ) -> None:
        super().__init__()
        self.name = name
        self._parent = parent
        self._config = config
        self._approval = approval
        self._children: dict[Scope, None] = {}
        self._layer = Layer()
        self._masks: dict[object, Mask] = {}
        self._listeners: dict[object, Callable[[ToolsChange], object]] = {}
        self._mode: Presentation | None = None
        self._owned: list[Registration] = []
        self._is_open = True
        self._view: View | None = None
        self._chained_hooks: Hooks | None = None

    # --- tools ---

    def register(self, definition: ToolDefinition) -> Registration:
        """Add one tool to this scope; one of that name above is shadowed.

        Raises:
            DuplicateToolError: If there is one of that name here already, which then stays, or
                if the two would share a place in a program or a name on the wire.
            ReservedToolError: If it is called `run_code`.
            ToolSchemaError: If a schema is not usable.
            ToolSignatureError: If anything else about it is not.
        """
        self._refuse_if_closed()
        if not isinstance(definition, ToolDefinition):
            raise ToolSignatureError(
                getattr(definition, "__name__", repr(definition)),
                "it is no ToolDefinition; for a function, say @registry.tool",
            )
        definition.checks()
        refuse_bad_claims(definition, self._layer, self._related())
        self._layer.add(definition)
        self._changed("tools", definition.name)
        return Registration(lambda: self._remove(definition))

    @overload
    def tool(self, function: F, /) -> F: ...
    @overload
    def tool(
        self,
        /,
        *,
        name: str | None = None,
        description: str | None = None,
        **metadata: Unpack[Metadata],
    ) -> Callable[[F], F]: ...
    def tool(
        self,
        function: F | None = None,
        /,
        *,
        name: str | None = None,
        description: str | None = None,
        **metadata: Unpack[Metadata],
    ) -> F | Callable[[F], F]:
        """Register a typed function, which stays what it was: `@registry.tool`.

        For the handle, write `registry.register(define(function))`.

        Raises:
            ToolSignatureError: If the function cannot be a tool.
            DuplicateToolError: As `register`.
        """

        def decorate(function: F) -> F:
            self.register(define(function, name=name, description=description, **metadata))
            return function

        return decorate if function is None else decorate(function)

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """What is visible here now, in the order of registration."""
        return self.view().tools

    def view(self) -> View:
        """Return what is visible here now; the same object until something changes."""
        if self._view is None:
            self._view = View(mode=self.mode, tools=tuple(self._visible().values()))
        return self._view

    @property
    def mode(self) -> Presentation:
        """How tools are presented here: the nearest that was declared."""
        if self._mode is not None:
            return self._mode
        return self._config.mode if self._parent is None else self._parent.mode

    @property
    def parent(self) -> Scope | None:
        """The scope above; the registry has none."""
        return self._parent

    @property
    def is_open(self) -> bool:
        """Whether it was not closed."""
        return self._is_open

    def closed_words(self) -> str:
        """Say that it is closed, for whoever asks too late."""
        what = "the registry" if self._parent is None else f"scope {self.name!r}"
        return f"{what} is closed"

    def own(self, registration: Registration) -> None:
        """Close what was done elsewhere for this scope when the scope is closed."""
        self._refuse_if_closed()
        self._owned.append(registration)

    # --- what only a scope can do ---

    def scope(self, name: str) -> Scope:
        """Return a new scope below this one."""
        self._refuse_if_closed()
        child = Scope(name, self, self._config, self._approval)
        self._children[child] = None
        return child

    def restrict(
        self, *, allow: Iterable[str] | None = None, deny: Iterable[str] | None = None
    ) -> Registration:
        """Hide tools that this scope has from above, from it and its children.

        Restrictions intersect. One that allows hides what is registered above later on; one that
        denies does not. The tools of the scope itself are never hidden.

        Raises:
            ScopeError: If this is no scope but the registry, nothing is named, or not in a list,
                or a name is not that of a tool from above.
            ReservedToolError: If `run_code` is named.
        """
        self._refuse_if_closed()
        if isinstance(allow, str) or isinstance(deny, str):
            raise ScopeError("a restriction names tools in a list: restrict(allow=['name'])")
        mask = Mask(None if allow is None else frozenset(allow), frozenset(deny or ()))
        above = None if self._parent is None else self._parent.view()
        refuse_bad_mask(mask, above, self._layer.tools)
        key = object()
        self._masks[key] = mask
        self._changed("restriction", *mask.named())
        return Registration(lambda: self._undo(self._masks, key, "restriction"))

    def present_as(self, mode: Presentation) -> Registration:
        """Present the tools in this way here and below, where nothing else is declared.

        Raises:
            ScopeError: If there is no such mode, this is the registry, or it was declared here
                already.
        """
        self._refuse_if_closed()
        if mode not in (modes := get_args(Presentation)):
            raise ScopeError(f"there is no mode {mode!r}; there are {', '.join(map(repr, modes))}")
        if self._parent is None:
            raise ScopeError("a registry has its mode from ToolRegistry(mode=...); use a scope")
        if self._mode is not None:
            raise ScopeError(
                f"scope {self.name!r} is presented as {self._mode!r} already; close that first"
            )
        self._mode = mode
        self._changed("presentation")
        return Registration(self._undo_mode)

    def hooks(self) -> Hooks:
        """Return the hooks that calls of this scope meet, from the registry downwards."""
        if self._chained_hooks is None:
            above = Hooks() if self._parent is None else self._parent.hooks()
            self._chained_hooks = sum(self._hooks.values(), start=above)
        return self._chained_hooks

    def on_change(self, listener: Callable[[ToolsChange], object]) -> Registration:
        """Call `listener` after each change here, above or below."""
        self._refuse_if_closed()
        key = object()
        self._listeners[key] = listener
        return Registration(lambda: self._listeners.pop(key, None))

    # --- the end ---

    def close(self) -> None:
        """Take back all that was done through this scope and those below it."""
        if not self._is_open:
            return
        for child in list(self._children):
            child.close()
        for registration in self._owned:
            registration.close()
        names = tuple(self._layer.tools)
        self._is_open = False
        for held in (self._layer, self._masks, self._hooks):
            held.clear()
        self._mode = None
        if self._parent is not None:
            self._parent._children.pop(self, None)
        self._changed("scope", *names)
        self._listeners.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # --- calls ---

    async def call(  # noqa: PLR0913 - what a call of a model comes with
        self,
        name: str,
        arguments: object,
        *,
        call_id: str | None = None,
        signal: AbortSignal | None = None,
        sink: EventSink | None = None,
        transport: ToolDefinition | None = None,
        approval: ApprovalHandler | None = None,
    ) -> ToolResult:
        """Carry out one call of a model through the whole pipeline.

        Never raises for what the tool or a hook does; cancelling the task goes through.

        Args:
            name: As the model wrote it: a tool's name, its name on the wire, or the transport's.
            arguments: A JSON object.
            call_id: As the model named the call; made up where there is none.
            signal: Cancels the call when it fires, from any thread.
            sink: Where its events go, and those of a program that it runs.
            transport: What `run_code` is, where there is one.
            approval: Who is asked, instead of the registry's own handler.
        """
        return await call_tool(
            self,
            name,
            arguments,
            limit=self._config.max_parallel_calls,
            call_id=call_id,
            signal=signal,
            sink=sink,
            transport=transport,
            approval=approval or self._approval,
        )

    def program_calls(
        self,
        *,
        parent_id: str = "program",
        sink: EventSink | None = None,
        approval: ApprovalHandler | None = None,
    ) -> ProgramCalls:
        """Return what a program that the host itself runs may call: every tool, in any mode.

        Only those that are to be presented natively, whatever the mode, are left out.
        """
        return ProgramCalls(
            self,
            View(mode="code", tools=self.tools),
            parent_id=parent_id,
            root_id=parent_id,
            limit=self._config.max_parallel_calls,
            sink=sink,
            approvals=Approvals(approval or self._approval),
        )

    # --- inside ---

    def _visible(self) -> dict[str, ToolDefinition]:
        if not self._is_open:
            # Its restrictions are gone, and with them what they would have hidden.
            return {}
        above = {} if self._parent is None else self._parent._visible()
        masks = self._masks.values()
        inherited = {k: v for k, v in above.items() if all(mask.passes(k) for mask in masks)}
        return {**inherited, **self._layer.tools}

    def _related(self) -> list[Layer]:
        """The layers of every scope that sees this one's, or whose tools this one may see."""
        return [scope._layer for scope in (*self._above(), self, *self._below())]

    def _below(self) -> Iterable[Scope]:
        for child in self._children:
            yield child
            yield from child._below()

    def _hang(self, hooks: Hooks) -> Registration:
        self._refuse_if_closed()
        key = object()
        self._hooks[key] = hooks
        self._changed("hooks")
        return Registration(lambda: self._undo(self._hooks, key, "hooks"))

    def _remove(self, definition: ToolDefinition) -> None:
        if self._layer.remove(definition):
            self._changed("tools", definition.name)

    def _undo(self, held: MutableMapping[object, T], key: object, kind: ChangeKind) -> None:
        if held.pop(key, None) is not None:
            self._changed(kind)

    def _undo_mode(self) -> None:
        if self._is_open:
            self._mode = None
            self._changed("presentation")

    def _changed(self, kind: ChangeKind, *names: str) -> None:
        """Forget what was worked out before, here and below, and tell everybody concerned."""
        for scope in (self, *self._below()):
            scope._view = scope._chained_hooks = None
        change = ToolsChange(kind=kind, scope=self.name, names=names)
        for scope in (*self._above(), self, *self._below()):
            for listener in list(scope._listeners.values()):
                _tell(listener, change)

    def _above(self) -> Iterable[Scope]:
        scope = self._parent
        while scope is not None:
            yield scope
            scope = scope._parent

    def _refuse_if_closed(self) -> None:
        if not self._is_open:
            raise ScopeError(f"{self.closed_words()}; make a new one")


def _tell(listener: Callable[[ToolsChange], object], change: ToolsChange) -> None:
    """Tell a listener of what has happened already, whatever it does about it."""
    try:
        listener(change)
    except Exception:
        _log.warning("a listener to changes of tools failed: %r", listener, exc_info=True)
