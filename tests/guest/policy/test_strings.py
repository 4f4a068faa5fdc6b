"""Literals and f-strings."""

from __future__ import annotations

import sys

import pytest

from codemode_guest.policy import compile_program
from tests.guest.policy.running import is_native, refusal, run, words


@pytest.mark.parametrize(
    "source",
    [
        "1, -1, 1.5, 1e9, 0xff, 0b1, 0o7, 1_000, 2j, ..., None, True",
        "'a', \"b\", '''c''', r'\\d', b'x', rb'\\d', u'x', 'a' 'b'",
        "f'{x}', f'{x!r:>{width}}', f'{x=}', f'{{}}', f'{x:%Y-%m-%d}'",
        "f'{f\"{x}\"}'",
        "f'{x.y[0](1)}'",
        "'%s %(k)s' % x",
        "rf'{x}\\d'",
    ],
)
def test_literals_stay_native(source: str) -> None:
    """Numbers, text, bytes and f-strings of every form."""
    assert is_native(source)


def test_f_strings_show_what_python_shows() -> None:
    """Conversions, formats and nesting are Python's own."""
    source = """
x, w = 3.14159, 8
name = "ü"
return [f"{x:{w}.2f}|", f"{name!r:>5}", f"{name!a}", f"{x=:.1f}", f"{'a' if x else 'b'}"]
"""
    assert run(source) == ["    3.14|", "  'ü'", "'\\xfc'", "x=3.1", "a"]


@pytest.mark.parametrize(
    "text", ["f'{x.__class__}'", "f'{x:{y.gi_frame}}'", "f'{[a._x_ for a in y]}'"]
)
def test_what_an_f_string_reads_obeys_the_rule(text: str) -> None:
    """Its parts are expressions like any other."""
    assert len(refusal(f"z = {text}").findings) == 1


@pytest.mark.skipif(sys.version_info < (3, 12), reason="quotes nest from 3.12 on (PEP 701)")
def test_f_strings_nest_with_the_same_quotes() -> None:
    """And hold backslashes and comments."""
    source = 'd = {"a": [1, 2]}\nreturn f"{", ".join(f"{v!s}{"\\n"}" for v in d["a"])}"'
    assert run(source) == "1\n, 2\n"


@pytest.mark.skipif(sys.version_info < (3, 14), reason="t-strings came with 3.14 (PEP 750)")
def test_t_strings_are_allowed_and_their_values_checked() -> None:
    """A template holds values that the program could read anyway."""
    compile_program("t = t'{x} {y.z!r:>5}'")
    assert "'__class__'" in words("t = t'{x.__class__}'")


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="t-strings came with 3.14 (PEP 750)")
def test_t_strings_are_no_syntax_before_their_time() -> None:
    """The parser's own word is what the model sees."""
    assert refusal("t = t'{x}'").findings[0].kind == "syntax"


def test_texts_keep_their_lines() -> None:
    """Nothing is indented to wrap the program."""
    assert run('s = """a\n    b\nc"""\nreturn s') == "a\n    b\nc"
    assert run('return \'"""\'') == '"""'


def test_doubtful_escapes_are_no_reason_to_complain(recwarn: pytest.WarningsRecorder) -> None:
    r"""Models write `"\\d"`; the warning would go to nobody."""
    assert run('import re\nreturn re.findall("\\d", "a1")') == ["1"]
    assert len(recwarn) == 0


def test_a_coding_cookie_means_nothing() -> None:
    """The program is text; no comment can change how it is read."""
    assert run("# coding: utf-7\n#+AAo-return 'read as code'\nreturn 'safe'") == "safe"


def test_a_byte_order_mark_means_nothing() -> None:
    """Files begin with one, and the lines and columns are those without it."""
    assert run("\ufeffreturn 1") == 1
    assert refusal("\ufeffx.__code__").findings[0].column == 1


def test_invisible_characters_stay_in_comments_and_texts() -> None:
    """Right-to-left marks change what is shown, not what is run."""
    assert run("x = 'safe' # \u202e\u2066 return 'other'\nreturn x") == "safe"


def test_long_decimal_literals_are_refused_in_pythons_words() -> None:
    """Beyond 4,300 digits, where Python itself refuses to read them."""
    (finding,) = refusal(f"x = {'9' * 5000}").findings

    assert finding.line == 1
    assert finding.reason.startswith(
        "Exceeds the limit (4300 digits) for integer string conversion"
    )


def test_huge_literals_in_other_bases_are_read() -> None:
    """They cost no more than their length."""
    assert run(f"return (0x{'f' * 10_000}).bit_length()") == 40_000
