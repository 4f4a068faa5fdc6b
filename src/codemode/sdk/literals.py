"""Strangers' text as Python source: literals and comments that cannot become anything else."""

from __future__ import annotations

import re

#: What type checkers and linters read in a comment. After `#` inside our text it is taken apart.
_DIRECTIVE = re.compile(
    r"#(?=\s*(?:type\s*:|mypy|pyright|pyre|ty\s*:|noqa|ruff|pylint|flake8|pragma|fmt|isort|nosec))",
    re.IGNORECASE,
)
_DIRECTIVE_START = re.compile(_DIRECTIVE.pattern.removeprefix("#"), re.IGNORECASE)
#: Joiners inside emoji and Indic words; everything else that does not print is escaped.
_JOINERS = "\u200c\u200d"
#: Digits that an integer literal may have in source (`sys.int_info.default_max_str_digits`).
_MOST_BITS = 14_000
_LITERAL_BITS = 63


def quote(text: str) -> str:
    """Return a string literal, on one line, of characters that show what they are."""
    literal = repr(text)
    if literal[0] == "'" and '"' not in text:
        inner = literal[1:-1].replace("\\'", "'")
        literal = f'"{inner}"'
    return _DIRECTIVE.sub(r"\\x23", literal) if "#" in literal else literal


def docstring(text: str) -> str:
    """Return a docstring. CPython 3.13 tidies it as UTF-8, which has no lone surrogates."""
    return quote(text.encode("utf-8", "backslashreplace").decode())


def comment(text: str) -> str:
    """Return what stands after `# `: one line, inert, of characters that show what they are."""
    if not text:
        return ""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join(map(_shown, line))
    if "#" in line:
        line = _DIRECTIVE.sub(r"\\x23", line)
    return f"'{line}'" if _DIRECTIVE_START.match(line) else line


def _shown(char: str) -> str:
    if char.isprintable() or char in _JOINERS:
        return char
    return f"\\x{ord(char):02x}" if char < "\x80" else f"\\u{ord(char):04x}"


def scalar(value: object) -> str | None:
    """Return the literal of a JSON scalar, or None if it has none in source."""
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, int):
        return repr(value) if value.bit_length() < _MOST_BITS else None
    if isinstance(value, float) and value - value == 0:
        return repr(value)
    return None


def in_literal(value: object) -> bool:
    """Say whether a scalar can stand in `Literal[...]`; mypy reads integers of 64 bits there."""
    return not isinstance(value, int) or value.bit_length() <= _LITERAL_BITS
