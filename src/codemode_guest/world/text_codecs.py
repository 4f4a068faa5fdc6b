"""All of Python's codecs in memory: the interpreter imports each at its first use."""

from __future__ import annotations

import codecs
import encodings
import encodings.aliases
import pkgutil
from codecs import CodecInfo
from functools import cache
from types import MappingProxyType
from typing import Final

# `mbcs` and `oem` are Windows's; `undefined` only raises.
_NOT_HERE: Final = frozenset({"aliases", "cp65001", "mbcs", "oem", "undefined"})


@cache
def codec_infos() -> MappingProxyType[str, CodecInfo]:
    """Import each codec that the library has, by its own name."""
    names = {module.name for module in pkgutil.iter_modules(encodings.__path__)} - _NOT_HERE
    found = {}
    for name in sorted(name for name in names if not name.startswith("_")):
        try:
            found[name] = codecs.lookup(name)
        except LookupError:  # a library that this Python was built without
            continue
    return MappingProxyType(found)


def serve_from_memory() -> None:
    """Let the interpreter find the codecs in memory and nowhere else, for good."""
    codec_infos()
    codecs.unregister(encodings.search_function)
    codecs.register(find_codec)


def find_codec(encoding: str) -> CodecInfo | None:
    """Find a codec by any of its names, as `encodings.search_function` does."""
    name = encodings.normalize_encoding(encoding)
    aliases = encodings.aliases.aliases
    for candidate in (name, name.replace(".", "_")):
        found = codec_infos().get(aliases.get(candidate, candidate))
        if found is not None:
            return found
    return None
