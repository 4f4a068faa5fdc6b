"""What the wire forms of the providers' APIs have in common: plain functions over plain JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from codemode.bridge import Answer
from codemode.prompt import Assembly
from codemode.tools import ImagePart, Part
from codemode_guest.values import MalformedJsonError, decode, encode

Json = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedCall:
    """A call that a model asks for.

    Attributes:
        call_id: As the provider numbered it.
        tool: Its name on the wire.
        arguments: As they came: a dict, or text that is no JSON.
    """

    call_id: str
    tool: str
    arguments: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered.

    Attributes:
        text: What it says.
        calls: What it asks for, in order.
        messages: What to add to the conversation, exactly as it came.
    """

    text: str
    calls: tuple[RequestedCall, ...]
    messages: tuple[Json, ...]


class WireForm(Protocol):
    """One provider's way of putting it; each module of a wire form is one."""

    @property
    def API(self) -> str:  # noqa: N802 - a constant of the module
        """How a log names it."""

    def request_body(
        self, assembly: Assembly, messages: Sequence[object], parameters: Mapping[str, object]
    ) -> Json:
        """Return the body of a request: `parameters` first, then the prompt and the tools."""

    def user_message(self, text: str) -> Json:
        """Return what a person says."""

    def reply_of(self, response: Mapping[str, object]) -> Reply:
        """Read the body of a response.

        Raises:
            KeyError, TypeError: If it is none.
        """

    def result_messages(self, answers: Sequence[Answer]) -> list[Json]:
        """Return what answers the calls of one reply, side by side with it."""

    def unanswered_calls(self, messages: Sequence[object]) -> list[RequestedCall]:
        """Return the calls in a conversation that have no result in it."""


def body_bytes(body: Json) -> bytes:
    """Return a body as it is sent: compact JSON in UTF-8, its keys in their order."""
    return encode(body)


def arguments_of(text: object) -> object:
    """Return arguments that came as JSON in a text; what is no JSON is passed on as it is."""
    if not isinstance(text, str) or not text.strip():
        return text or {}
    try:
        return decode(text.encode("utf-8", "surrogatepass"))
    except MalformedJsonError:
        return text


def data_url(image: ImagePart) -> str:
    """Return an image as a URL that holds it."""
    return f"data:{image.mime_type};base64,{image.data}"


def images_among(parts: Sequence[Part]) -> list[ImagePart]:
    """Return the images, in order."""
    return [part for part in parts if isinstance(part, ImagePart)]


def text_with_others(answer: Answer) -> str:
    """Return the text of an answer; what is neither text nor an image is shown as JSON."""
    others = [
        encode(part.record()).decode()
        for part in answer.parts
        if part.record().get("type") not in {"text", "image"}
    ]
    return "\n".join(text for text in (answer.content, *others) if text)
