"""For `warnings`: what is warned of goes to the run's log, and no module is handed out."""

from __future__ import annotations

import warnings
from types import TracebackType
from typing import Any, Final

from codemode_guest.world.console import CONSOLE
from codemode_guest.world.sealed import Sealed


class catch_warnings(Sealed):  # noqa: N801 - named as what it stands in for
    """Restore the filters afterwards; with `record`, keep the warnings instead of showing them."""

    __slots__ = ("_inner_",)

    def __init__(self, *, record: bool = False, **options: Any) -> None:  # noqa: ANN401
        if "module" in options:
            raise TypeError("catch_warnings() takes no module here")
        _hold(self, warnings.catch_warnings(record=record, **options))

    def __enter__(self) -> Any:  # noqa: ANN401 - a list of warnings, or None
        return _inner_of(self).__enter__()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        _inner_of(self).__exit__(exc_type, exc, tb)


#: Of objects of this class only: a program may call a method, and `__init__`, on any object.
_inner_of: Final = catch_warnings.__dict__["_inner_"].__get__
_hold: Final = catch_warnings.__dict__["_inner_"].__set__


def show_warning(  # noqa: PLR0913, PLR0917 - as `warnings` calls it
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,  # noqa: ANN401
    line: str | None = None,  # noqa: ARG001 - the log shows no source lines
) -> None:
    """Write a warning to the run's log."""
    text = f"{filename}:{lineno}: {category.__name__}: {message}\n"
    (CONSOLE if file is None else file).write(text)
