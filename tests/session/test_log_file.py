"""A log on disk: what is written is read, whatever comes between."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType

import pytest

from codemode.errors import UsageError
from codemode.session import (
    Entry,
    LogFault,
    LogFile,
    RunEnded,
    Session,
    SessionOpened,
    ToolCalled,
    read_log,
)
from tests.session.records import ONE_OF_EACH, entries, events_of, settled

CALLED = ToolCalled(call_id="c1", tool="run_code", arguments={"code": "return 'é'"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def write(path: Path, *events: object, **options: int) -> None:
    with LogFile(path, **options) as log:
        for entry in entries(*events):  # type: ignore[arg-type]  # events, each test's own
            log.write(entry)


def test_every_kind_of_event_is_read_as_it_was_written(path: Path) -> None:
    """Numbers, absent values and lone surrogates included (checklist 100)."""
    write(path, *ONE_OF_EACH)

    assert entries(*ONE_OF_EACH) == list(read_log(path))


def test_a_line_says_its_version_number_time_and_kind_first(path: Path) -> None:
    """A log can be read by eye and by any JSON reader."""
    write(path, ToolCalled(call_id="c1", tool="add", arguments={}))

    assert [
        '{"v":1,"seq":1,"at_ms":1001,"event":"tool/call","call_id":"c1","tool":"add","arguments":{}}'
    ] == path.read_text().splitlines()


@pytest.mark.parametrize("cut", [1, 5, 40, 90])
def test_a_line_that_a_crash_cut_short_is_mended_on_reopening(path: Path, cut: int) -> None:
    """Whatever came before is kept, and the next entry stands on a line of its own."""
    write(path, CALLED, settled(1), CALLED)
    path.write_bytes(path.read_bytes()[:-cut])
    torn = path.read_bytes().rpartition(b"\n")[2]

    with LogFile(path) as log:
        Session(log, now_ms=lambda: 5).emit(CALLED)
    found = list(read_log(path))

    kept = [CALLED, settled(1), *([CALLED] if cut == 1 else [])]
    assert kept == events_of(found)[:-2]
    assert list(range(1, len(found) + 1)) == [entry.seq for entry in found]
    opened = found[-2].event
    assert isinstance(opened, SessionOpened)
    assert (True, "" if cut == 1 else torn.decode()) == (opened.resumed, opened.torn)


def test_a_crash_at_any_byte_costs_the_line_being_written_and_no_other(path: Path) -> None:
    """Every whole line is kept, and the log is one again (checklist 99)."""
    write(path, CALLED, settled(1), CALLED)
    whole = path.read_bytes()

    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with LogFile(path) as log:
            log.write(Entry(seq=log.next_seq, at_ms=0, event=CALLED))

        # Where each line ends but for its newline.
        kept = sum(end <= size for end, byte in enumerate(whole) if byte == ord("\n"))
        assert [CALLED, settled(1), CALLED][:kept] == events_of(read_log(path))[:-1]


def test_a_log_that_is_nothing_but_a_torn_line_begins_anew(path: Path) -> None:
    """And says what it took out."""
    path.write_bytes(b'{"v":1,"seq":1')

    with LogFile(path) as log:
        Session(log)

    assert [True] == [e.event.resumed for e in read_log(path) if isinstance(e.event, SessionOpened)]


def test_a_reader_leaves_out_the_line_that_is_being_written(path: Path) -> None:
    """So that a session can be looked at while it goes on."""
    write(path, CALLED, CALLED)
    path.write_bytes(path.read_bytes()[:-7])

    assert [CALLED] == events_of(read_log(path))


def test_a_killed_writer_loses_no_entry_that_it_had_written(path: Path) -> None:
    """What was emitted is with the system before anything else happens (checklist 99)."""
    program = f"""
import os, signal
from codemode.session import LogFile, Noted, Session
session = Session(LogFile({str(path)!r}))
for number in range(500):
    session.emit(Noted(topic="n", body=number))
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", program], check=False, timeout=60)

    assert 501 == len(list(read_log(path)))


def test_a_large_field_stands_in_a_file_of_its_own(path: Path) -> None:
    """And is read back as if it stood in the line (checklist 104)."""
    large = settled(1, value={"text": "x" * 10_000})
    write(path, large, large, settled(2), inline_bytes=1_000)

    assert [large, large, settled(2)] == events_of(read_log(path))
    line = json.loads(path.read_text().splitlines()[0])
    assert 10_011 == line["elsewhere"]["value"]["bytes"]
    assert "value" not in line
    # The same content is kept once.
    assert [line["elsewhere"]["value"]["file"]] == [
        file.name for file in path.with_name("session.jsonl.values").iterdir()
    ]


def test_a_field_that_is_a_reference_itself_is_data(path: Path) -> None:
    """No value of a tool can be taken for a file's name."""
    value = {"file": "/etc/passwd", "elsewhere": {"value": {"file": "x"}}}
    write(path, settled(1, value=value))

    assert [settled(1, value=value)] == events_of(read_log(path))


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "x.json"])
def test_a_log_from_elsewhere_cannot_name_any_file(path: Path, name: str) -> None:
    """Only the names that a log itself makes are opened."""
    write(path, settled(1))
    line = json.loads(path.read_text())
    del line["value"]
    path.write_text(json.dumps({**line, "elsewhere": {"value": {"file": name, "bytes": 1}}}) + "\n")

    with pytest.raises(LogFault, match="no name of ours"):
        list(read_log(path))


def test_a_deep_value_is_written_and_read(path: Path) -> None:
    """10,000 levels, as the bridge lets them through (checklist 94)."""
    value: object = 1
    for _ in range(10_000):
        value = [value]
    write(path, settled(1, value=value))

    (found,) = events_of(read_log(path))

    depth, inner = 0, getattr(found, "value", None)
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]
    assert (10_000, 1) == (depth, inner)


def test_a_read_only_mapping_is_written_as_the_dict_that_it_shows(path: Path) -> None:
    """A failure's record is one."""
    failure = {"code": "DENIED", "retryable": False}
    write(path, settled(1, failure=MappingProxyType(failure)))

    assert [settled(1, failure=failure)] == events_of(read_log(path))


def test_a_surrogate_pair_in_printed_text_does_not_stop_the_log(path: Path) -> None:
    """It is no value; it is shown as the character that it spells."""
    write(path, RunEnded(call_id="c1", logs=["\ud83d\ude00"]))

    assert [RunEnded(call_id="c1", logs=["\U0001f600"])] == events_of(read_log(path))


@pytest.mark.parametrize(
    "line,said",
    [
        ("not json", "line 2 is not an entry"),
        ("[]", "it is no object"),
        ('{"v":2,"seq":1,"at_ms":1,"event":"note"}', "format version 2"),
        ('{"v":1,"seq":"1","at_ms":1,"event":"note"}', "seq '1'"),
        ('{"v":1,"seq":1,"at_ms":1,"event":"nonsense"}', "event 'nonsense'"),
        ('{"v":1,"seq":1,"at_ms":1,"event":"tool/call","tool":5}', "tool/call, field"),
        ('{"v":1,"seq":1,"at_ms":1,"event":"note","elsewhere":3}', "elsewhere 3"),
    ],
)
def test_a_line_that_is_no_entry_is_named(path: Path, line: str, said: str) -> None:
    """The error says which line, and what is wrong with it."""
    write(path, CALLED)
    path.write_text(path.read_text() + line + "\n" + path.read_text())

    with pytest.raises(LogFault, match=r"session\.jsonl") as caught:
        list(read_log(path))

    assert said in str(caught.value)
    assert "line 2" in str(caught.value)


def test_fields_of_a_later_version_are_left_out(path: Path) -> None:
    """A field may be added without a new version of the format."""
    write(path, CALLED)
    line = json.loads(path.read_text())
    path.write_text(json.dumps({**line, "colour": "red"}) + "\n")

    assert [CALLED] == events_of(read_log(path))


def test_only_one_process_writes_a_log(path: Path) -> None:
    """A second one is told so, and the first goes on."""
    with LogFile(path) as log:
        with pytest.raises(LogFault, match="another process writes it"):
            LogFile(path)
        log.write(entries(CALLED)[0])

    assert [CALLED] == events_of(read_log(path))


def test_a_file_that_is_no_log_is_left_alone(path: Path) -> None:
    """Nothing is appended to what somebody else wrote."""
    path.write_text("dear diary\n")

    with pytest.raises(LogFault, match="its last line is not an entry"):
        LogFile(path)

    assert "dear diary\n" == path.read_text()


def test_a_closed_log_takes_nothing(path: Path) -> None:
    """A late write could otherwise land in a file that got its descriptor's number."""
    log = LogFile(path)
    log.close()
    log.close()

    with pytest.raises(UsageError, match="closed"):
        log.write(entries(CALLED)[0])


def test_a_log_is_readable_by_its_owner_only(path: Path) -> None:
    """It holds what tools said."""
    write(path, settled(1, value="x" * 2_000), inline_bytes=1_000)

    (aside,) = path.with_name("session.jsonl.values").iterdir()
    assert [0o600, 0o600] == [file.stat().st_mode & 0o777 for file in (path, aside)]
