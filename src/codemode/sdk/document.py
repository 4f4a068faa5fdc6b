"""One schema document: where a `$ref` in it leads. Nothing is ever fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from urllib.parse import unquote, urljoin

from codemode.sdk.tree import digest


class Document:
    """A schema and everything in it that can be referred to."""

    def __init__(self, root: object) -> None:
        self.root = root

    def find(self, reference: str) -> tuple[str, object] | None:
        """Return the canonical place that a reference leads to, and what is there.

        Args:
            reference: `#`, a JSON pointer after `#` (percent-encoded or not), an anchor, or
                the `$id` of a schema inside this document.

        Returns:
            None if it leads out of the document, or nowhere.
        """
        address, _, fragment = reference.partition("#")
        base, prefix = self.root, ""
        if address and address != self._own_address:
            inner = self._addresses.get(urljoin(self._own_address, address))
            if inner is None:
                return None
            prefix, base = inner
        if not fragment:
            return prefix, base
        if not fragment.startswith("/"):
            return self._anchors.get(fragment)
        return _walk(prefix, base, fragment)

    def family(self, place: str, schema: object) -> str:
        """Return a digest of a schema and of all that it refers to, directly or not.

        Equal digests in two documents mean equal types, so recursive definitions can be
        shared between tools.
        """
        waiting, seen = [(place, schema)], {place: schema}
        while waiting:
            _, current = waiting.pop()
            for inner in _schemas(current):
                for word in ("$ref", "$dynamicRef", "$recursiveRef"):
                    reference = inner.get(word)
                    found = self.find(reference) if isinstance(reference, str) else None
                    if found is not None and found[0] not in seen:
                        seen[found[0]] = found[1]
                        waiting.append(found)
        try:
            parts = sorted((at, json.dumps(held, sort_keys=True)) for at, held in seen.items())
            text = repr((place, parts))
        except (RecursionError, TypeError, ValueError):
            # Too deep to write down: told apart from all others instead.
            text = f"{place} of {id(self.root)}"
        return digest(text)

    @cached_property
    def _own_address(self) -> str:
        own = self.root.get("$id") if isinstance(self.root, dict) else None
        return own.removesuffix("#") if isinstance(own, str) else ""

    @cached_property
    def _addresses(self) -> dict[str, tuple[str, object]]:
        return {
            urljoin(self._own_address, address.removesuffix("#")): (f"<{address}>", schema)
            for schema in _schemas(self.root)
            if isinstance(address := schema.get("$id"), str)
        }

    @cached_property
    def _anchors(self) -> dict[str, tuple[str, object]]:
        return {
            name: (f"<#{name}>", schema)
            for schema in _schemas(self.root)
            for word in ("$anchor", "$dynamicAnchor")
            if isinstance(name := schema.get(word), str)
        }


def _walk(prefix: str, base: object, pointer: str) -> tuple[str, object] | None:
    """Follow a JSON pointer (RFC 6901, section 4)."""
    node = base
    steps = []
    for raw in pointer.split("/")[1:]:
        step = unquote(raw).replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and step in node:
            node = node[step]
        elif isinstance(node, dict) and raw in node:
            node, step = node[raw], raw
        elif isinstance(node, list) and step.isdecimal() and int(step) < len(node):
            node = node[int(step)]
        else:
            return None
        steps.append(step)
    return prefix + "".join(f"/{step}" for step in steps), node


def _schemas(root: object) -> Iterator[Mapping[str, object]]:
    """Every object in a document, however deep, without recursion."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
