"""Where hooks are hung up: decorators, and one method that gives a handle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from codemode.errors import UsageError
from codemode.tools.hooks import (
    Execute,
    Finalize,
    Guard,
    Hooks,
    ObserveResult,
    PostExecute,
    PreExecute,
)
from codemode.tools.registration import Registration

P = TypeVar("P", bound=PreExecute)
G = TypeVar("G", bound=Guard)
E = TypeVar("E", bound=Execute)
I = TypeVar("I", bound=PostExecute)  # noqa: E741 - for inspect
Z = TypeVar("Z", bound=Finalize)
O = TypeVar("O", bound=ObserveResult)  # noqa: E741 - for observe


class HookPoints(ABC):
    """The places in the pipeline of a scope's calls. Hooks from above come before its own."""

    def __init__(self) -> None:
        self._hooks: dict[object, Hooks] = {}

    def attach(  # noqa: PLR0913 - one for each place in the pipeline
        self,
        *,
        pre_execute: PreExecute | None = None,
        guard: Guard | None = None,
        execute: Execute | None = None,
        post_execute: PostExecute | None = None,
        finalize: Finalize | None = None,
        result: ObserveResult | None = None,
    ) -> Registration:
        """Hang up hooks that belong together; closing the handle takes them all away.

        Raises:
            UsageError: If one is no function.
        """
        for hook in (pre_execute, guard, execute, post_execute, finalize, result):
            if hook is not None and not callable(hook):
                raise UsageError(f"{hook!r} is no hook; give a function")
        return self._hang(
            Hooks(
                pre_execute=() if pre_execute is None else (pre_execute,),
                guard=() if guard is None else (guard,),
                execute=() if execute is None else (execute,),
                post_execute=() if post_execute is None else (post_execute,),
                finalize=() if finalize is None else (finalize,),
                result=() if result is None else (result,),
            )
        )

    def pre_execute(self, hook: P) -> P:
        """Let a policy decide on each call: allow, deny, or ask a person."""
        self.attach(pre_execute=hook)
        return hook

    def guard(self, hook: G) -> G:
        """Let a guard deny calls that all policies allow."""
        self.attach(guard=hook)
        return hook

    def execute(self, hook: E) -> E:
        """Put a wrapper around the body of each tool."""
        self.attach(execute=hook)
        return hook

    def post_execute(self, hook: I) -> I:
        """Let an inspector replace or block what comes of a call."""
        self.attach(post_execute=hook)
        return hook

    def finalize(self, hook: Z) -> Z:
        """Give the last word on what the model sees of each call."""
        self.attach(finalize=hook)
        return hook

    def result(self, hook: O) -> O:
        """Tell an observer what came of each call."""
        self.attach(result=hook)
        return hook

    @abstractmethod
    def _hang(self, hooks: Hooks) -> Registration:
        """Keep hooks until the handle is closed."""
