"""The one way in which the command says that it will not start."""

from __future__ import annotations

from typing import ClassVar

import click


class Refusal(click.ClickException):
    """Nothing was run; the message says what is wrong, where, and what to do."""

    exit_code: ClassVar[int] = 2
