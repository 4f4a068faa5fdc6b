"""Fuzz the host's side of the bridge, guided by coverage: frames, their decoding, the conversation.

    pip install atheris
    python -m tests.fuzz.run_fuzz [-max_total_time=60] [libFuzzer's other options]

New inputs that reach new code are kept in tests/fuzz/corpus, which `test_corpus.py` replays.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["codemode.process", "codemode_guest"]):
    from tests.fuzz.exercise import exercise

CORPUS = Path(__file__).parent / "corpus"
DICTIONARY = Path(__file__).parent / "bridge.dict"


def main() -> None:
    """Fuzz until told to stop."""
    options = sys.argv[1:]
    if all(option.startswith("-") for option in options):
        options.append(str(CORPUS))
    atheris.Setup([sys.argv[0], f"-dict={DICTIONARY}", "-max_len=512", *options], exercise)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
