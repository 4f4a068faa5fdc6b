"""Logging goes to the run's log, in the library's words."""

from __future__ import annotations

import pytest

from codemode_guest.world.stand_ins import log_lines, logs
from tests.guest.world.programs import run

pytestmark = pytest.mark.usefixtures("_fresh_settings")


@pytest.fixture
def _fresh_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what a program configured: outside of tests it dies with the process."""
    fresh = log_lines.Settings()
    for name in (*log_lines.Shape.__slots__, *log_lines.Settings.__slots__):
        monkeypatch.setattr(log_lines.SETTINGS, name, getattr(fresh, name))
    monkeypatch.setattr(logs.root, "level", 30)
    monkeypatch.setattr(logs.root, "handlers", [])
    logs._logger.cache_clear()  # noqa: SLF001 - undone with the rest


def test_a_logger_writes_warnings_and_above_before_it_is_configured() -> None:
    """As the library's last resort does: the bare message."""
    source = """
import logging
logger = logging.getLogger("shop")
logger.info("not shown")
logger.warning("%d left of %s", 3, "lamp")
"""
    assert "3 left of lamp\n" == run(source)


def test_basic_config_sets_level_and_format() -> None:
    """The usual two lines at the top of a program work."""
    source = """
import logging
logging.basicConfig(level=logging.INFO, format="%(levelname)s|%(name)s|%(lineno)d|%(message)s")
log = logging.getLogger(__name__)
log.info("ready")
log.debug("not shown")
logging.error("by the root, %(n)s", {"n": 2})
"""
    assert "INFO|__main__|5|ready\nERROR|root|7|by the root, 2\n" == run(source)


def test_a_time_has_the_librarys_shape() -> None:
    """With milliseconds by default, by `datefmt` otherwise."""
    source = """
import logging, re
logging.basicConfig(format="%(asctime)s", level="DEBUG")
logging.debug("")
logging.basicConfig(format="%(asctime)s", datefmt="%Y", force=True)
logging.debug("")
"""
    first, second = run(source).splitlines()
    assert "0000-00-00 00:00:00,000" == "".join("0" if c.isdigit() else c for c in first)
    assert 4 == len(second)


def test_levels_are_inherited_by_name() -> None:
    """A logger has the level of the nearest name above that has one."""
    source = """
import logging
logging.getLogger("x").setLevel("DEBUG")
print(logging.getLogger("x.b.c").isEnabledFor(logging.DEBUG), logging.getLogger("y").level)
print(logging.getLogger("x").getChild("b") is logging.getLogger("x.b"))
print(logging.getLogger("y").getEffectiveLevel() == logging.WARNING, logging.getLevelName(40))
logging.disable(logging.ERROR)
logging.getLogger("x").error("not shown")
"""
    assert "True 0\nTrue\nTrue ERROR\n" == run(source)


def test_an_exception_is_logged_with_the_programs_frames() -> None:
    """`logger.exception` ends with the traceback, which shows nothing of ours."""
    source = """
import logging
try:
    {}["x"]
except KeyError:
    logging.exception("lost")
"""
    assert (
        "ERROR:root:lost\nTraceback (most recent call last):\n"
        "  File \"<program>\", line 4, in <module>\nKeyError: 'x'\n"
    ) == run(source)


@pytest.mark.parametrize("option", ["filename='x'", "style='{'", "level='LOUD'"])
def test_what_is_not_there_is_refused(option: str) -> None:
    """Files, other styles and unknown levels are errors, not silence."""
    source = f"""
import logging
try:
    logging.basicConfig({option})
except ValueError as error:
    print("refused")
"""
    assert "refused\n" == run(source)


def test_a_stream_of_the_programs_own_takes_the_log() -> None:
    """`stream=` is a file in memory."""
    source = """
import io, logging
kept = io.StringIO()
logging.basicConfig(stream=kept, format="%(message)s")
logging.warning("kept")
print([kept.getvalue()])
"""
    assert "['kept\\n']\n" == run(source)


HANDLERS = """
import io, logging, sys
shop = logging.getLogger("shop")
shop.setLevel(logging.INFO)
handler = logging.StreamHandler()
handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
shop.addHandler(handler)
shop.addHandler(handler)
shop.info("by its own handler")
logging.getLogger("shop.till").warning("from below")
kept = io.StringIO()
second = logging.StreamHandler(kept)
second.setLevel("ERROR")
shop.addHandler(second)
shop.error("twice")
shop.removeHandler(handler)
shop.propagate = False
shop.info("not written")
shop.addHandler(logging.NullHandler())
print(repr(kept.getvalue()), len(shop.handlers))
logging.basicConfig(handlers=[logging.StreamHandler(sys.stdout)], format="%(message)s!")
logging.error("by the root's")
"""


def test_handlers_write_as_the_librarys_do() -> None:
    """With formats, levels and files of their own; those of loggers above write, too."""
    assert run(HANDLERS).splitlines() == [
        "INFO shop: by its own handler",
        "WARNING shop.till: from below",
        "ERROR shop: twice",
        "'twice\\n' 2",
        "by the root's!",
    ]


def test_a_handler_is_a_handler() -> None:
    """What is none is refused where it is added, and there are no other styles."""
    source = """
import logging
styled = lambda: logging.Formatter("{x}", style="{")
for attempt in (lambda: logging.root.addHandler(print), styled):
    try:
        attempt()
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
"""
    assert "TypeError\nValueError\n" == run(source)
