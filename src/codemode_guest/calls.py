"""How a program calls the host: namespaces, their functions, and the calls in flight."""

from __future__ import annotations

from asyncio import CancelledError, Future, get_running_loop
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from codemode_guest import values
from codemode_guest.near import nearest
from codemode_guest.window import Weight, Window

if TYPE_CHECKING:
    from codemode_guest.bridge import Bridge

_MAX_SHOWN_NAME: Final = 80
_MAX_SHOWN_NAMES: Final = 12


class _MissingMember(AttributeError):
    """An AttributeError that does not hand out the object that was asked.

    It is given a name when it is made, and so the interpreter leaves it alone.
    """

    @property
    def obj(self) -> object:  # type: ignore[override]  # that is the point
        """Refuse."""
        raise AttributeError("the object that was asked is not available; write tools itself")


_MissingMember.__name__ = _MissingMember.__qualname__ = "AttributeError"


@dataclass(frozen=True, slots=True)
class NamespaceSpec:
    """One namespace, its fields in the order of the start frame."""

    global_name: str
    members: Sequence[str]
    error_name: str | None
    error_member: str | None
    #: What calls may look like, by member, as `check.signatures` reads it; None: unchecked.
    signatures: Mapping[str, Any] | None = None


class CallSink(Protocol):
    """What a namespace sends its calls to: `Calls`, or what stands in for it."""

    def encode(self, args: dict[str, object]) -> bytes:
        """Write arguments down; see `Calls.encode`."""

    def submit(
        self, namespace: int, member: int, args: bytes, failed: Callable[[str], Exception]
    ) -> Coroutine[Any, Any, object]:
        """Make one call; see `Calls.submit`."""


@dataclass(slots=True, kw_only=True)
class _Call:
    """A call on its way: in the queue while it has no number."""

    namespace: int
    member: int
    args: bytes
    weight: Weight
    failed: Callable[[str], Exception]
    future: Future[object]
    number: int = 0


class Calls:
    """Sends calls, keeps a bounded number of them in flight and settles each on its reply.

    The host answers each call exactly once, a cancelled one too.

    Args:
        bridge: Where calls go.
        window: How much may be unanswered; more calls wait here, in order.
        max_args_bytes: The longest arguments of one call.
        max_args_parts: The most values within values of one call.
    """

    def __init__(
        self, bridge: Bridge, window: Window, *, max_args_bytes: int, max_args_parts: int
    ) -> None:
        self._bridge = bridge
        self._window = window
        self._max_args_bytes = max_args_bytes
        self._max_args_parts = max_args_parts
        self._pending: dict[int, _Call] = {}
        self._queue: deque[_Call] = deque()
        self._last_number = 0

    @property
    def are_pending(self) -> bool:
        """Whether the host still has an answer to give."""
        return bool(self._pending)

    def encode(self, args: dict[str, object]) -> bytes:
        """Write arguments down as they are now; the program may change them afterwards."""
        return values.encode(args, max_bytes=self._max_args_bytes, max_parts=self._max_args_parts)

    async def submit(
        self, namespace: int, member: int, args: bytes, failed: Callable[[str], Exception]
    ) -> object:
        """Make one call and return its result.

        Cancelling the awaiting task cancels the host's side as well.
        """
        future: Future[object] = get_running_loop().create_future()
        call = _Call(
            namespace=namespace,
            member=member,
            args=args,
            weight=Weight.of(args),
            failed=failed,
            future=future,
        )
        if self._queue or not self._window.has_room(call.weight):
            self._queue.append(call)
        else:
            self._send(call)
        try:
            return await future
        except CancelledError:
            if call.number in self._pending:
                self._bridge.send(b'["cancel",%d]' % call.number)
            raise

    def receive(self, frame: object) -> None:
        """Settle the call that a reply frame answers, and send those that now have room."""
        reply: Any = frame
        _, number, succeeded, payload = reply
        call = self._pending.pop(number)
        self._window.let_out(call.weight)
        if not call.future.done():
            if succeeded:
                call.future.set_result(payload)
            else:
                call.future.set_exception(call.failed(payload))
        while self._queue:
            waiting = self._queue[0]
            if not waiting.future.done():
                if not self._window.has_room(waiting.weight):
                    break
                self._send(waiting)
            self._queue.popleft()

    def _send(self, call: _Call) -> None:
        self._last_number += 1
        call.number = self._last_number
        self._pending[call.number] = call
        self._window.let_in(call.weight)
        head = b'["call",%d,%d,%d,' % (call.number, call.namespace, call.member)
        self._bridge.send(head, call.args, b"]")


def install(namespaces: Sequence[NamespaceSpec], calls: CallSink) -> dict[str, object]:
    """Return the globals that the namespaces of a run put into the program's world.

    Args:
        namespaces: What the host offers. Those that name the same error class share it.
        calls: Where their functions send their calls.
    """
    found: dict[str, object] = {}
    error_classes: dict[str, type[Exception]] = {}
    for position, namespace in enumerate(namespaces):
        error_class: type[Exception] = RuntimeError
        if namespace.error_name is not None:
            error_class = error_classes.setdefault(namespace.error_name, _error_class(namespace))
        functions = {
            member: _function(namespace, position, index, calls, error_class)
            for index, member in enumerate(namespace.members)
        }
        found[namespace.global_name] = _namespace(namespace.global_name, functions)
    return found | error_classes


def _error_class(namespace: NamespaceSpec) -> type[Exception]:
    doc = f"A call was rejected; `{namespace.error_member}` is the name of what was called."
    return type(str(namespace.error_name), (Exception,), {"__doc__": doc, "__module__": "__main__"})


def _function(
    namespace: NamespaceSpec,
    position: int,
    index: int,
    calls: CallSink,
    error_class: type[Exception],
) -> Callable[..., Coroutine[Any, Any, object]]:
    """Make the function behind one member. A closure: it has no attribute to find us by."""
    member = namespace.members[index]
    shown = spelling(namespace.global_name, member)

    def failed(message: str) -> Exception:
        error = error_class(message)
        if namespace.error_member is not None:
            setattr(error, namespace.error_member, member)
        return error

    async def refuse(error: Exception) -> object:
        raise error

    def call(*positional: object, **named: object) -> Coroutine[Any, Any, object]:
        try:
            args = calls.encode(_arguments(shown, positional, named))
        except Exception as error:  # the caller awaits what it calls, and finds the error there
            started = refuse(error.with_traceback(None))
        else:
            started = calls.submit(position, index, args, failed)
        # What the interpreter would say of a call that nobody awaits is in the program's words.
        started.__name__ = member  # type: ignore[attr-defined]  # every coroutine object has it
        started.__qualname__ = shown  # type: ignore[attr-defined]  # likewise
        return started

    call.__name__ = member
    call.__qualname__ = shown
    call.__module__ = "__main__"
    return call


def _arguments(
    shown: str, positional: tuple[object, ...], named: dict[str, object]
) -> dict[str, object]:
    if not positional:
        return named
    if len(positional) > 1 or named or type(positional[0]) is not dict:
        raise TypeError(
            f"{shown} takes keyword arguments, as in {shown}(name=value), "
            f"or one dict, as in {shown}({{'name': value}})"
        )
    return positional[0]


def _namespace(  # noqa: C901 - a class is many small functions
    global_name: str, functions: Mapping[str, Callable[..., object]]
) -> object:
    """Make the object that a program knows a namespace as.

    Its class is made here for the same reason that functions are closures.
    """

    def missing(name: object) -> str:
        if type(name) is not str:
            return f"{global_name} has names of type str, not {type(name).__name__}"
        shown = repr(name if len(name) <= _MAX_SHOWN_NAME else name[:_MAX_SHOWN_NAME] + "…")
        return f"{global_name} has no member {shown}{suggestion(name, functions)}"

    class Namespace:
        __slots__ = ()

        def __getattr__(self, name: str) -> object:
            found = functions.get(name) if type(name) is str else None
            if found is None:
                raise _MissingMember(missing(name), name=name) from None
            return found

        def __getitem__(self, name: str) -> object:
            found = functions.get(name) if type(name) is str else None
            if found is None:
                raise KeyError(missing(name)) from None
            return found

        def __contains__(self, name: object) -> bool:
            return type(name) is str and name in functions

        def __iter__(self) -> Iterator[str]:
            return iter(functions)

        def __len__(self) -> int:
            return len(functions)

        def __dir__(self) -> Sequence[str]:
            return list(functions)

        def __repr__(self) -> str:
            return f"<{global_name}: {len(functions)} functions>"

    Namespace.__name__ = Namespace.__qualname__ = global_name
    Namespace.__module__ = "__main__"
    return Namespace()


def suggestion(name: str, functions: Collection[str]) -> str:
    """Say which member may be meant, or which there are."""
    if near := nearest(name, functions):
        return f"; did you mean {near!r}?"
    some = ", ".join(repr(known) for known in list(functions)[:_MAX_SHOWN_NAMES])
    more = len(functions) - _MAX_SHOWN_NAMES
    if not functions:
        return "; it is empty"
    return f"; it has {some}" + (f" and {more} more" if more > 0 else "")


def spelling(global_name: str, member: str) -> str:
    """How a program writes a member."""
    if member.isidentifier():
        return f"{global_name}.{member}"
    short = member if len(member) <= _MAX_SHOWN_NAME else member[:_MAX_SHOWN_NAME] + "…"
    return f"{global_name}[{short!r}]"
