"""How Hypothesis runs here: without a deadline for one example, as no test asserts a time."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("codemode", deadline=None)
settings.load_profile("codemode")
