"""Read what the command line names: a program, and the tools in a Python file."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from codemode.cli.refusal import Refusal
from codemode.runtime import CodeBindingNamespace
from codemode.tools import ToolRegistry
from codemode_guest.near import nearest


def read_program(path: str) -> str:
    """Return the text of a program; `-` is standard input.

    Raises:
        Refusal: If it cannot be read, or is not UTF-8.
    """
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode()
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise Refusal(
            f"cannot read the program {path!r}: {error.strerror}; "
            "give the path of a Python file, or - for standard input"
        ) from None
    except UnicodeDecodeError as error:
        raise Refusal(
            f"the program {path!r} is not UTF-8 (byte {error.start}); save it as UTF-8"
        ) from None


def load_tools(spec: str) -> ToolRegistry | CodeBindingNamespace:
    """Return the tools that `FILE.py:NAME` names.

    The file runs as Python here, in this process, with all that it may do; its folder can
    be imported from while it does, as if Python had been started on it.

    Raises:
        Refusal: If there is no such file or name, the file raises, or the name is neither a
            `ToolRegistry` nor a `CodeBindingNamespace`.
    """
    found, name = _load(spec)
    if not isinstance(found, ToolRegistry | CodeBindingNamespace):
        raise _wrong_type(spec, name, found, "a ToolRegistry or a CodeBindingNamespace")
    return found


def load_registry(spec: str) -> ToolRegistry:
    """Return the registry that `FILE.py:NAME` names. As `load_tools` otherwise."""
    found, name = _load(spec)
    if not isinstance(found, ToolRegistry):
        raise _wrong_type(spec, name, found, "a ToolRegistry")
    return found


def _wrong_type(spec: str, name: str, found: object, needed: str) -> Refusal:
    return Refusal(
        f"--tools {spec!r}: {name!r} is of type {type(found).__name__}; {needed} is needed"
    )


def _load(spec: str) -> tuple[object, str]:
    """Return what the file has under the name, and the name."""
    file, colon, name = spec.rpartition(":")
    if not (colon and file and name):
        raise Refusal(
            f"--tools {spec!r} does not say which tools; write FILE.py:NAME, "
            "NAME being a ToolRegistry in that file"
        )
    path = Path(file)
    if not path.is_file():
        raise Refusal(f"--tools {spec!r}: there is no file {file!r}; check the path")
    module = _execute(path)
    if name not in vars(module):
        raise Refusal(f"--tools {spec!r}: {file} defines no {name!r}{_alternatives(module, name)}")
    return vars(module)[name], name


def _execute(path: Path) -> ModuleType:
    # A name that no import statement can write, so that a tools file called like a module
    # of Python or of ours stands in for neither.
    spec = importlib.util.spec_from_file_location(f"tools file {path}", path)
    if spec is None or spec.loader is None:
        raise Refusal(f"{str(path)!r} is not a Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pydantic look their module up there.
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: whatever the file does, we say it
        raise Refusal(f"the tools file {path}{_blame(spec.origin, error)}") from None
    return module


def _blame(file: str | None, error: BaseException) -> str:
    """Write `, line N, raised E: why`, with the last line of the file that led there."""
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, SyntaxError) and error.filename == file:
        return f", line {error.lineno}, does not parse: {what}\n  {(error.text or '').strip()}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == file]
    return f", line {own[-1].lineno}, raised {what}\n  {own[-1].line}" if own else f" raised {what}"


def _alternatives(module: ModuleType, name: str) -> str:
    kinds = (ToolRegistry, CodeBindingNamespace)
    there = [key for key, value in vars(module).items() if isinstance(value, kinds)]
    if not there:
        return "; make one there: registry = codemode.ToolRegistry()"
    return f"; did you mean {nearest(name, there) or there[0]!r}?"
