"""Put into words, for a model, why its program failed: what, where, and what led there.

Everything is bounded: a stack may be a thousand frames deep, a message a gigabyte long, a chain
of causes endless, and `__str__` the program's own.
"""

from __future__ import annotations

import dis
import resource
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict

from codemode_guest.lossy import type_name
from codemode_guest.missing import keys_that_are_there
from codemode_guest.policy import FILENAME, MAIN, Program, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

#: Address space set aside while the program runs, enough to describe its failure in: Python takes
#: up to a mebibyte at once for its small objects, and a result is written down in what is left.
RESERVE_BYTES: Final = 2**22

#: The part of its address space that a program must have left to be called well.
_ROOM_SHARE: Final = 8

_MAX_MESSAGE: Final = 2_000
_MAX_SOURCE_LINE: Final = 200
_FIRST_FRAMES: Final = 3
_LAST_FRAMES: Final = 7
_MAX_CAUSES: Final = 3
_MAX_GROUPED: Final = 5


class Described(TypedDict, total=False):
    """A failure as the done frame carries it; `memory` is for the host to put into words."""

    kind: Literal["exception", "invalid-output", "output-limit", "memory"]
    message: str
    phase: Literal["compile", "run"]
    line: int | None
    column: int | None
    source_line: str | None
    exception_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where one frame of the program stood."""

    line: int
    column: int | None
    function: str
    text: str | None

    def __str__(self) -> str:
        where = f"  line {self.line}" + (f", in {self.function}" if self.function else "")
        return f"{where}\n    {self.text.strip()}" if self.text else where


def described(
    error: BaseException, program: Program | None, *, phase: Literal["compile", "run"] = "run"
) -> Described:
    """Describe a failure.

    Args:
        error: A `Refusal`, or what the program's body let through.
        program: The program; None when there is none to quote from.
        phase: When it failed; a refusal knows better.
    """
    if type(error) is Refusal:
        return _refused(error)
    try:
        return _described(error, program, phase)
    except BaseException:  # an exception of the program's, built to resist
        message = f"{type_name(error)} (it could not be described)"
        return Described(kind="exception", message=message, phase=phase)


def _described(
    error: BaseException, program: Program | None, phase: Literal["compile", "run"]
) -> Described:
    lines = program.source_lines if program is not None else ()
    places = list(_places(_traceback(error), lines))
    last = places[-1] if places else None
    return Described(
        kind="memory" if _out_of_memory(error) else "exception",
        message=_whole(_message(error, places, lines)),
        phase=phase,
        line=last.line if last else None,
        column=last.column if last else None,
        source_line=_whole(last.text) if last and last.text else None,
        exception_type=_whole(type_name(error)),
    )


def _refused(refusal: Refusal) -> Described:
    first = refusal.findings[0]
    return Described(
        kind="exception",
        message=_whole(_cut(str(refusal), 4 * _MAX_MESSAGE)),
        phase="compile",
        line=first.line,
        column=first.column,
        source_line=_whole(first.source_line) if first.source_line is not None else None,
        exception_type=first.type_name,
    )


def _message(error: BaseException, places: list[_Place], lines: tuple[str, ...]) -> str:
    parts = [_headline(error, lines), *_stack(places)]
    if issubclass(type(error), BaseExceptionGroup):
        parts += _grouped(error, lines)
    seen = {id(error)}
    cause = _cause(error)
    while cause is not None and id(cause[1]) not in seen and len(seen) <= _MAX_CAUSES:
        relation, error = cause
        seen.add(id(error))
        parts += [
            f"{relation} {_headline(error, lines)}",
            *_stack(list(_places(_traceback(error), lines))),
        ]
        cause = _cause(error)
    return "\n".join(parts)


def _headline(error: BaseException, lines: tuple[str, ...]) -> str:
    try:
        text = str(error)
        # A subclass of str would be asked to format, slice and join itself.
        text = text if type(text) is str else str.__str__(text)
    except BaseException as hostile:  # the program's own __str__
        text = f"(its message could not be shown: {type_name(hostile)})"
    name = type_name(error)
    try:
        hint = keys_that_are_there(error, lines)
    except BaseException:  # a hint is not worth a failure
        hint = None
    headline = f"{name}: {_cut(text, _MAX_MESSAGE)}" if text else name
    return f"{headline} ({hint})" if hint else headline


def _whole(text: str) -> str:
    """Text in which two surrogates that spell a character are that character, as JSON has it."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}… ({len(text) - limit} characters left out) …{text[-half:]}"


def _stack(places: list[_Place]) -> list[str]:
    if len(places) <= _FIRST_FRAMES + _LAST_FRAMES:
        return [str(place) for place in places]
    left_out = len(places) - _FIRST_FRAMES - _LAST_FRAMES
    return [
        *(str(place) for place in places[:_FIRST_FRAMES]),
        f"  … {left_out} more calls …",
        *(str(place) for place in places[-_LAST_FRAMES:]),
    ]


def _grouped(group: BaseException, lines: tuple[str, ...]) -> list[str]:
    parts = []
    # Not `group.exceptions`: a subclass may answer that with code of its own.
    grouped = BaseExceptionGroup.__dict__["exceptions"].__get__(group)
    for index, error in enumerate(grouped[:_MAX_GROUPED], 1):
        parts.append(f"  {index}. {_headline(error, lines)}")
        places = list(_places(_traceback(error), lines))
        parts += _stack(places[-1:])
    more = len(grouped) - _MAX_GROUPED
    return [*parts, f"  and {more} more"] if more > 0 else parts


def _cause(error: BaseException) -> tuple[str, BaseException] | None:
    cause = _own(error, "__cause__")
    if cause is not None:
        return "caused by", cause
    context = _own(error, "__context__")
    if context is not None and not _own(error, "__suppress_context__"):
        return "raised while handling", context
    return None


def _traceback(error: BaseException) -> TracebackType | None:
    found: TracebackType | None = _own(error, "__traceback__")
    return found


def _own(error: BaseException, name: str) -> Any:  # noqa: ANN401 - what every exception has
    """Read what the interpreter keeps in an exception, past any code of the exception's own."""
    return BaseException.__dict__[name].__get__(error)


def _places(traceback: TracebackType | None, lines: tuple[str, ...]) -> Iterator[_Place]:
    """Yield the program's own frames, outermost first."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == FILENAME:
            line = traceback.tb_lineno
            text = lines[line - 1] if 0 < line <= len(lines) else None
            yield _Place(
                line=line,
                column=_column(traceback, text),
                function="" if code.co_name == MAIN else code.co_qualname,
                text=_cut(text, _MAX_SOURCE_LINE) if text else None,
            )
        traceback = traceback.tb_next


def _column(traceback: TracebackType, line: str | None) -> int | None:
    """Where in its line a frame stood, in characters from 1; the interpreter counts bytes."""
    positions = list(traceback.tb_frame.f_code.co_positions())
    at = traceback.tb_lasti // 2
    offset = positions[at][2] if 0 <= at < len(positions) else None
    if offset is None or line is None:
        return None
    return len(line.encode(errors="surrogatepass")[:offset].decode(errors="replace")) + 1


def _out_of_memory(error: BaseException) -> bool:
    """Whether the program has used up its memory.

    A `MemoryError` alone does not say so: a program can raise one, and one absurd request, such
    as `"a" * 10**12`, fails while there is plenty. Those are exceptions like any other.
    """
    return (
        issubclass(type(error), MemoryError) and not _raised_by_program(error) and not _has_room()
    )


def _raised_by_program(error: BaseException) -> bool:
    traceback = _traceback(error)
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return False
    code = traceback.tb_frame.f_code
    if code.co_filename != FILENAME or not 0 <= traceback.tb_lasti < len(code.co_code):
        return False
    return dis.opname[code.co_code[traceback.tb_lasti]] in ("RAISE_VARARGS", "RERAISE")


def _has_room() -> bool:
    """Whether a good part of the address space could still be had, now that calls have ended."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    try:
        # Zeroed pages are not touched, so this asks for address space and nothing else.
        bytes(limit // _ROOM_SHARE if limit != resource.RLIM_INFINITY else RESERVE_BYTES)
    except MemoryError:
        return False
    return True
