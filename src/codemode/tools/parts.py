"""What a result is made of when it is shown to a model: text, images and whatever else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text, as it is."""

    text: str

    def record(self) -> dict[str, object]:
        """Return the part as JSON."""
        return {"type": "text", "text": self.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePart:
    """An image.

    Attributes:
        data: Its bytes in base64.
        mime_type: Such as `image/png`.
    """

    data: str
    mime_type: str

    def record(self) -> dict[str, object]:
        """Return the part as JSON, in MCP's form."""
        return {"type": "image", "data": self.data, "mimeType": self.mime_type}


@dataclass(frozen=True, slots=True)
class OtherPart:
    """A part of a kind that is passed on as it came: audio, a link to a resource.

    Attributes:
        value: A JSON object with a `type`.
    """

    value: Mapping[str, object]

    def record(self) -> dict[str, object]:
        """Return the part as JSON."""
        return dict(self.value)


Part = TextPart | ImagePart | OtherPart


def content_text(parts: Iterable[Part]) -> str:
    """Return the text among the parts, one below the other."""
    return "\n".join(part.text for part in parts if isinstance(part, TextPart))
