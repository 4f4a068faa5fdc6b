"""The decisions for the modules of the system and the interpreter, most of which stay out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemode_guest.world.table import COMMAND, IMPORTED, INTERNAL, SYSTEM, ModuleTable

_ENVIRONMENT: Final = "a program has no environment; write the value, or ask for it with a tool"
_FILES: Final = "a program has no files; call a tool, and io.StringIO serves for text in memory"
_INTERPRETER: Final = "it belongs to the interpreter, which a program does not see"
_CODE: Final = "a program does not look into code or frames; it works on values"

SYSTEM_MODULES: Final[Mapping[str, ModuleTable]] = {
    "sys": ModuleTable(
        offered=(
            "byteorder exception float_info float_repr_style getdefaultencoding getrecursionlimit "
            "getsizeof hash_info hexversion int_info intern maxsize maxunicode platform version "
            "version_info"
        ),
        replaced={
            "exc_info": "gives no traceback: the last of the three is None",
            "setrecursionlimit": "sets at most 3,000",
            "stderr stdout": "is the run's log",
        },
        left_out={
            "argv orig_argv": "a program has no command line; assign the values",
            "exit": "write return at the top level, or raise an error",
            "stdin": "nobody types while a program runs; write the value into the program",
            "modules": "write an import statement",
            "path": "nothing is imported from disk",
        },
        rest=_INTERPRETER,
    ),
    "os": ModuleTable(
        offered="PathLike altsep curdir extsep fspath linesep pardir pathsep sep urandom",
        left_out={"environ environb getenv getenvb putenv unsetenv": _ENVIRONMENT},
        rest=SYSTEM,
    ),
    "os.path": ModuleTable(
        offered=(
            "altsep basename commonpath commonprefix curdir dirname extsep isabs join normcase "
            "normpath pardir pathsep sep split splitdrive splitext splitroot>=3.12"
        ),
        left_out={
            "expanduser expandvars": _ENVIRONMENT,
            "abspath realpath": "there is no working directory; write normpath",
            "relpath": (
                "there is no working directory; write pathlib.PurePath(path).relative_to(start)"
            ),
        },
        rest=_FILES,
    ),
    "pathlib": ModuleTable(
        offered="PurePath PurePosixPath PureWindowsPath UnsupportedOperation>=3.13",
        replaced={"Path PosixPath": "is a path as text: what would touch files is refused"},
        rest=_FILES,
    ),
    "inspect": ModuleTable(
        offered=(
            "BoundArguments Parameter Signature cleandoc getdoc getmro isabstract isasyncgen "
            "isasyncgenfunction isawaitable isbuiltin isclass iscoroutine iscoroutinefunction "
            "isfunction isgenerator isgeneratorfunction ismethod isroutine signature"
        ),
        replaced={"getmembers": "gives what `getattr` gives, under names that `getattr` takes"},
        left_out={
            "getsource getsourcelines": "a program has its own text no more; write it as a string"
        },
        rest=_CODE,
    ),
    "ast": ModuleTable(offered="literal_eval", rest=_CODE),
    "contextvars": ModuleTable(offered="Context ContextVar Token copy_context"),
    "keyword": ModuleTable(offered="iskeyword issoftkeyword kwlist softkwlist"),
    "shlex": ModuleTable(
        offered="join quote split",
        left_out={
            "shlex": "it opens files that the text names; use split",
            "StringIO deque os re sys": IMPORTED,
        },
    ),
    "fnmatch": ModuleTable(
        offered="filter filterfalse>=3.14 fnmatch fnmatchcase translate",
        left_out={"functools itertools>=3.14 os posixpath re": IMPORTED},
    ),
    "tomllib": ModuleTable(offered="TOMLDecodeError load loads"),
    "gzip": ModuleTable(
        offered="BadGzipFile compress decompress",
        left_out={
            "GzipFile open": "there are no files; use compress and decompress",
            "FCOMMENT FEXTRA FHCRC FNAME FTEXT READ READ_BUFFER_SIZE>=3.12 WRITE "
            "write32u": INTERNAL,
            "main": COMMAND,
            "builtins io os struct sys time zlib": IMPORTED,
        },
    ),
    "codecs": ModuleTable(
        offered=(
            "BOM BOM_BE BOM_LE BOM_UTF16 BOM_UTF16_BE BOM_UTF16_LE BOM_UTF32 BOM_UTF32_BE "
            "BOM_UTF32_LE BOM_UTF8 decode encode"
        ),
        left_out={"open EncodedFile": _FILES},
        rest="use encode and decode, or str.encode and bytes.decode",
    ),
}
