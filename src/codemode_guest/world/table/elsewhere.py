"""What to write instead of a module that a program may not import."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TOOL: Final = "a program has no network; call a tool"
_FILES: Final = "a program has no files; call a tool, and io.StringIO serves for text in memory"
_PROCESS: Final = "a program starts no processes; call a tool"
_THREADS: Final = "a program has one thread; await asyncio.gather(...) runs calls together"
_TABLES: Final = "write it in plain Python, with lists, dicts, collections and statistics"
_NUMBERS: Final = "write it in plain Python, with math and statistics"
_CODE: Final = "a program does not look into code; it works on values"
_PICKLE: Final = "use json"

#: What to write instead, by the names of modules.
GROUPS: Final[Mapping[str, str]] = {
    "requests httpx aiohttp urllib.request urllib.error urllib3 http socket ssl ftplib smtplib "
    "imaplib poplib telnetlib websockets websocket socketserver xmlrpc select selectors boto3 "
    "openai anthropic bs4 selenium playwright": _TOOL,
    "os pathlib shutil tempfile glob fnmatch fileinput stat filecmp mmap zipfile tarfile gzip bz2 "
    "lzma sqlite3 dbm configparser": _FILES,
    "subprocess multiprocessing signal pty ctypes resource": _PROCESS,
    "threading _thread concurrent queue sched trio anyio curio": _THREADS,
    "pandas polars pyarrow": _TABLES,
    "numpy scipy sympy sklearn torch": _NUMBERS,
    "inspect ast dis gc tokenize code codeop importlib imp pkgutil runpy builtins __main__ "
    "__builtin__ symtable": _CODE,
    "pickle marshal shelve copyreg dill cloudpickle": _PICKLE,
    "sys": "print to write, return to end; there are no arguments and no standard streams",
    "argparse getopt optparse click typer": "a program has no command line; assign the values",
    "platform socketserver getpass pwd grp": "a program knows nothing of the machine",
    "weakref": "keep an ordinary reference; the process ends with the program",
    "contextvars": "pass the value as an argument",
    "locale gettext": "use format specifications such as f'{value:,.2f}'",
    "yaml ruamel": "use json, or call a tool",
    "tomllib toml tomli configobj": "split the text, or call a tool",
    "xml lxml": "use re, or html.parser.HTMLParser, or call a tool",
    "pydantic attrs attr marshmallow": "use dataclasses or typing.TypedDict",
    "dateutil pytz arrow pendulum": "use datetime and zoneinfo",
    "unittest pytest doctest": "use assert",
    "timeit cProfile profile tracemalloc": "use time.perf_counter()",
    "typing_extensions": "use typing",
    "tqdm rich colorama tabulate": "use print and f-strings",
    "regex": "use re",
    "simplejson orjson ujson": "use json",
    "reprlib": "use repr, or textwrap.shorten",
    "codecs": "use str.encode and bytes.decode",
    "email": "call a tool",
    "atexit": "use try and finally",
    "tools": "tools is there without an import",
    "matplotlib seaborn plotly PIL cv2": "return the values; there is nothing to draw on",
    "dotenv": "a program has no environment",
}

#: The same, by the name of each module.
INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {name: instead for names, instead in GROUPS.items() for name in names.split()}
)
