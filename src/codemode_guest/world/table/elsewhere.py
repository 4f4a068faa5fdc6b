"""What to write instead of a module that a program may not import; a test runs each advice."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TOOL: Final = "a program has no network; call a tool"
_DATABASE: Final = "a program has no database; call a tool, and lists and dicts hold what it gives"
_FILES: Final = "a program has no files; call a tool, and io.StringIO serves for text in memory"
_PROCESS: Final = "a program starts no processes; call a tool"
_THREADS: Final = "a program has one thread; await asyncio.gather(...) runs calls together"
_TABLES: Final = "write it in plain Python, with lists, dicts, collections and statistics"
_NUMBERS: Final = "write it in plain Python, with math and statistics"
_CODE: Final = "a program does not look into code; it works on values"

#: What to write instead, by the names of modules.
GROUPS: Final[Mapping[str, str]] = {
    # what reaches out
    "requests httpx aiohttp urllib.request urllib.error urllib3 http socket ssl ftplib smtplib "
    "imaplib poplib telnetlib websockets websocket socketserver xmlrpc select selectors boto3 "
    "botocore google github openai anthropic slack_sdk stripe selenium playwright paramiko grpc "
    "feedparser tweepy praw": _TOOL,
    "sqlite3 sqlalchemy psycopg psycopg2 pymysql MySQLdb pymongo redis duckdb": _DATABASE,
    "shutil tempfile glob fileinput stat filecmp mmap zipfile tarfile dbm aiofiles openpyxl xlrd "
    "docx pypdf PyPDF2": _FILES,
    "subprocess multiprocessing signal pty ctypes resource pexpect": _PROCESS,
    "threading _thread concurrent sched trio anyio curio joblib": _THREADS,
    "queue": "use asyncio.Queue, or collections.deque",
    "nest_asyncio uvloop": "leave it out; await and asyncio.run(main()) work at the top level",
    "async_timeout": "use asyncio.timeout",
    "tenacity backoff retrying": "write a loop with try, and await asyncio.sleep(seconds)",
    "email": "use datetime.datetime.strptime for dates, and call a tool for mail",
    "mcp": "tools is there without an import",
    "tools": "tools is there without an import",
    # other people's libraries for computing
    "pandas polars pyarrow": _TABLES,
    "numpy scipy sympy sklearn torch tensorflow statsmodels": _NUMBERS,
    "networkx igraph": "use dicts of neighbours, with collections.deque, heapq and graphlib",
    "more_itertools toolz cytoolz funcy": "use itertools and functools",
    "cachetools": "use functools.lru_cache",
    "sortedcontainers": "use bisect.insort, or heapq",
    "rapidfuzz fuzzywuzzy thefuzz Levenshtein jellyfish": "use difflib.SequenceMatcher",
    "dateutil pytz arrow pendulum tzlocal": "use datetime and zoneinfo",
    "regex": "use re",
    "simplejson orjson ujson": "use json",
    "yaml ruamel": "use json or tomllib, or call a tool",
    "toml tomli configobj": "use tomllib",
    "configparser": "use tomllib, or split the text into lines",
    "xml lxml bs4 html5lib": "use html.parser.HTMLParser or re, or call a tool",
    "jinja2 mako": "use string.Template, or f-strings",
    "markdown markdown2": "use re, or return the text as it is",
    "pydantic attrs attr marshmallow": "use dataclasses or typing.TypedDict",
    "jsonschema": "use isinstance() and dataclasses",
    "typing_extensions mypy_extensions": "use typing",
    "six future": "leave it out; this is Python 3",
    "cryptography Crypto nacl bcrypt": "use hashlib, hmac and secrets",
    "chardet charset_normalizer": "use bytes.decode(errors='replace')",
    "humanize inflect babel locale gettext": "use format specifications such as f'{value:,.2f}'",
    "tqdm rich colorama tabulate termcolor prettytable": "use print and f-strings",
    "loguru structlog": "use logging",
    "matplotlib seaborn plotly PIL cv2 turtle tkinter": (
        "return the values; there is nothing to draw on"
    ),
    # parts of the standard library
    "dis gc tokenize token code codeop importlib imp pkgutil runpy builtins __main__ "
    "__builtin__ symtable pyclbr zipimport site sysconfig venv pip setuptools": _CODE,
    "pickle marshal shelve copyreg dill cloudpickle": "use json",
    "bz2 lzma": "use zlib or gzip",
    "posixpath ntpath": "write import os.path",
    "argparse getopt optparse click typer fire": "a program has no command line; assign the values",
    "platform getpass pwd grp psutil": "a program knows nothing of the machine",
    "dotenv": "a program has no environment; write the value, or ask for it with a tool",
    "weakref": "keep an ordinary reference; the process ends with the program",
    "unittest pytest doctest mock hypothesis": "use assert",
    "pdb ipdb pudb": "use print",
    "timeit cProfile profile tracemalloc pstats": "use time.perf_counter()",
    "reprlib": "use textwrap.shorten(repr(value), 80)",
    "quopri": "use binascii.b2a_qp and binascii.a2b_qp",
    "mimetypes imghdr": "use a dict of your own",
    "colorsys": "write the formula itself",
    "errno": "call a tool; there is no system to fail",
    "atexit": "use try and finally",
}

#: The same, by the name of each module.
INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {name: instead for names, instead in GROUPS.items() for name in names.split()}
)
