"""How many tokens a text is."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

#: Source: the tokenizers of current models need fewer for code; this errs on the safe side.
_CHARACTERS_A_TOKEN = 4
_ENCODING = "o200k_base"


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Counts tokens, and says how."""

    name: str
    count: Callable[[str], int]


ESTIMATE = Tokenizer("four characters a token", lambda text: -(-len(text) // _CHARACTERS_A_TOKEN))


@lru_cache(maxsize=1)
def installed_tokenizer() -> Tokenizer:
    """Return that of bpe-openai (extra `tokens`), which carries its vocabulary; else the estimate.

    Not tiktoken, which fetches the vocabulary from the network when it is first used.
    """
    with warnings.catch_warnings():
        # It reads its vocabulary in a way that importlib has deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            encoding = importlib.import_module("bpe_openai").get_encoding(_ENCODING)
        except ImportError:
            return ESTIMATE
    return Tokenizer(f"bpe-openai {_ENCODING}", lambda text: len(encoding.encode_ordinary(text)))
