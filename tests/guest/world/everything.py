"""A program that uses a bit of everything; run where any open or import is reported.

    python -m tests.guest.world.everything

Prints what the program printed, then one line for each audit event.
"""

from __future__ import annotations

import sys

from codemode_guest import world
from tests.guest.world.programs import run

WATCHED = ("open", "import", "os.listdir", "os.scandir")

PROGRAM = r"""
import abc, array, base64, binascii, bisect, calendar, cmath, collections, contextlib, copy, csv
import dataclasses, datetime, decimal, difflib, enum, fractions, functools, graphlib, hashlib, heapq
import hmac, html, io, ipaddress, itertools, json, logging, math, numbers, operator, pprint, random
import re, secrets, statistics, string, struct, textwrap, time, traceback, types, typing, unicodedata
import urllib.parse, uuid, warnings, zlib, zoneinfo
import collections.abc, html.parser, html.entities, json.decoder
for zone in sorted(zoneinfo.available_timezones()):
    datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo(zone)).utcoffset()
datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Paris")).astimezone().isoformat()
datetime.datetime.strptime("2024-02-03 04:05", "%Y-%m-%d %H:%M").strftime("%A %j %Z")
time.strftime("%c", time.strptime("1 Jan 2020", "%d %b %Y")), time.localtime(), time.ctime()
calendar.month(2024, 2), calendar.HTMLCalendar().formatmonth(2024, 2)
calendar.prmonth(2024, 2)
for codec in ("idna", "utf-16", "latin-1", "cp1252", "shift_jis", "big5", "punycode", "utf_7", "ascii"):
    "abc".encode(codec).decode(codec)
try:
    "x".encode("no-such-codec")
except LookupError as error:
    print(error)
"\N{BULLET}", unicodedata.name("é"), "é".encode("ascii", "namereplace"), unicodedata.normalize("NFD", "é")
for name in hashlib.algorithms_available:
    try:
        hashlib.new(name, b"x")
    except ValueError:
        pass
hashlib.scrypt(b"p", salt=b"s", n=2, r=1, p=1), hashlib.pbkdf2_hmac("sha256", b"p", b"s", 1)
hmac.new(b"k", b"m", "sha256").hexdigest(), secrets.token_hex(4), uuid.uuid4(), uuid.uuid5(uuid.NAMESPACE_DNS, "a")
decimal.Decimal("1.10").quantize(decimal.Decimal("1.0")), fractions.Fraction("1/3") + 1
format(decimal.Decimal("1234.5"), ",.2f"), f"{1234.5:,.2f}", f"{3:n}", f"{datetime.date(2024, 1, 2):%x}"
statistics.quantiles([1, 2, 3, 4]), statistics.linear_regression([1, 2, 3], [2, 4, 6])
random.seed(3); random.sample(range(9), 3), random.SystemRandom().random(), random.Random(4).gauss(0, 1)
divmod(10**30000, 10**9999), int("9" * 4000) ** 2, str(10**4000), math.factorial(500), pow(3, -1, 7)
re.sub(r"(?P<a>\w+)\s", lambda m: m["a"].upper(), "ab cd ", flags=re.I | re.U)
re.compile(r"(?<=a)b+?", re.DEBUG)
json.dumps({"a": [1, 2.5, None]}, indent=2, default=str), json.loads('{"a": 1}', object_hook=dict)
csv_file = io.StringIO(); csv.DictWriter(csv_file, ["a"]).writeheader(); csv.Sniffer().sniff("a,b\n1,2\n")
textwrap.fill("word " * 30, 40), string.Template("$a").substitute(a=1), html.unescape("&eacute;")
difflib.HtmlDiff().make_table(["a"], ["b"]), difflib.get_close_matches("appel", ["apple"])
pprint.pprint({"a": {"b": list(range(40))}}), pprint.pformat(types.SimpleNamespace(a=1))
urllib.parse.urlparse("http://u:p@[::1]:8/x?y=1#z").hostname, urllib.parse.urlencode({"a": [1]}, doseq=True)
ipaddress.ip_network("10.0.0.0/30").hosts(), zlib.decompress(zlib.compress(b"x")), base64.b85encode(b"x")
graphlib.TopologicalSorter({1: [2]}).static_order(), struct.pack("<I", 3), array.array("d", [1.0]).tobytes()
copy.deepcopy({"a": [1, {2}]}), copy.copy(collections.Counter("abc")), html.parser.HTMLParser().feed("<a>")
@typing.runtime_checkable
class Sized(typing.Protocol):
    def __len__(self) -> int: ...
isinstance([], Sized)
class Movie(typing.TypedDict):
    name: str
class Point(typing.NamedTuple):
    x: int = 1
typing.get_args(typing.Optional[int]), typing.Annotated[int, 1], typing.get_origin(list[int])
@dataclasses.dataclass(order=True, slots=True)
class Item:
    name: str
    tags: list = dataclasses.field(default_factory=list)
dataclasses.asdict(Item("x")), dataclasses.replace(Item("x"), name="y"), dataclasses.make_dataclass("M", ["a"])
Color = enum.Enum("Color", "RED GREEN"); enum.Flag("F", "A B")
@functools.singledispatch
def describe(x): return "?"
@describe.register
def _(x: int): return "int"
@functools.lru_cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
describe(3), fib(20), functools.reduce(operator.add, [1, 2]), functools.cached_property(len)
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(lineno)d %(message)s"); logging.info("logged")
warnings.warn("careful"); warnings.warn("old", DeprecationWarning)
try:
    {}["missing"]
except KeyError:
    traceback.print_exc(); logging.exception("caught")
for attempt in ("json.dump_s", "undefined_name", "Item('x').nme", "__import__('requests')", "__import__('json', None, None, ('x',))", "open('x')"):
    try:
        if attempt == "json.dump_s": json.dump_s
        elif attempt == "undefined_name": undefined_name
        elif attempt.startswith("Item"): Item("x").nme
        elif "requests" in attempt: import requests
        elif "json" in attempt: from json import codecs
        else: open("x")
    except Exception as error:
        "".join(traceback.format_exception(error))
error = ImportError("x", name="antigravity"); error.name_from = "fly"
"".join(traceback.format_exception(error))
async def work(n):
    await asyncio.sleep(0.001); return n
async def main():
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(n)) for n in range(3)]
    queue = asyncio.Queue(); await queue.put(1); await queue.get()
    done, pending = await asyncio.wait([asyncio.create_task(work(1))])
    for each in asyncio.as_completed([work(1), work(2)]): await each
    try:
        await asyncio.wait_for(asyncio.sleep(9), 0.001)
    except TimeoutError:
        pass
    return await asyncio.gather(*map(work, range(5)))
print(asyncio.run(main()))
async def stream():
    yield 1
async for n in stream(): print(n)
with contextlib.suppress(ValueError), contextlib.redirect_stdout(io.StringIO()): print("hidden"); int("x")
work(1).close()
never = work(2)
del never
print("done")
"""


def main() -> None:
    """Run the program and report."""
    world.preload()
    world.seed(1)
    run("pass")  # the loop of these tests opens its own sockets
    events: list[str] = []
    watching = True

    def watch(event: str, args: tuple[object, ...]) -> None:
        # A name that is found among the loaded modules raises no event.
        if watching and event in WATCHED:
            events.append(f"{event} {args[:2]}")

    sys.addaudithook(watch)
    printed = run(PROGRAM)
    watching = False
    sys.stdout = sys.__stdout__
    print(printed, *events, sep="\n")


if __name__ == "__main__":
    main()
