"""A conversation with a model over one wire form, every message of it on record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from codemode.adapters.wire import Json, Reply, RequestedCall, WireForm, body_bytes
from codemode.bridge import Answer, CodeMode, RequestAssembly
from codemode.errors import RuntimeFault
from codemode.prompt import Assembly
from codemode.session import (
    Entry,
    MessageAdded,
    RequestSent,
    ToolCalled,
    ToolReturned,
    recorded_requests,
    repairs,
)
from codemode.tools import ImagePart, OtherPart, Part, Scope, TextPart


class Dialogue:
    """What an agent's loop needs between its model and its tools.

    Args:
        codemode: Open.
        wire: The module of a wire form, such as `codemode.adapters.openai_chat`.
        parameters: What else is in the body of each request: the model, and so on.
        scope: Whose tools and prompt; those of `codemode` if left out.
    """

    def __init__(
        self,
        codemode: CodeMode,
        wire: WireForm,
        parameters: Mapping[str, object],
        *,
        scope: Scope | None = None,
    ) -> None:
        self.messages: list[object] = []
        self._codemode = codemode
        self._wire = wire
        self._parameters = dict(parameters)
        self._scope = scope
        self._assembly: RequestAssembly | None = None

    def say(self, text: str) -> None:
        """Add what a person says."""
        self._add(self._wire.user_message(text))

    async def request(self) -> bytes:
        """Return the body of the next request.

        Raises:
            UsageError: If the prompt cannot be assembled.
        """
        self._assembly = await self._codemode.assemble(self._scope)
        body = body_bytes(self._wire.request_body(self._assembly, self.messages, self._parameters))
        self._codemode.session.emit(
            RequestSent(
                api=self._wire.API,
                parameters=self._parameters,
                body_sha256=hashlib.sha256(body).hexdigest(),
            )
        )
        return body

    def hear(self, response: Mapping[str, object]) -> Reply:
        """Add what the model answers.

        Raises:
            RuntimeFault: If the response is none of this wire form.
        """
        try:
            reply = self._wire.reply_of(response)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise RuntimeFault(
                f"a response that is none of {self._wire.API}: {error!r} in {str(response)[:300]}"
            ) from None
        self._add(*reply.messages)
        for call in reply.calls:
            self._codemode.expect(call.tool, call.arguments, call_id=call.call_id)
        return reply

    async def answer(self, calls: Sequence[RequestedCall]) -> list[Answer]:
        """Make the calls of a reply, one after the other, and add their results.

        Returns:
            One answer for each call; an agent that calls nothing more, or one of whose answers
            `concludes_turn`, is done.
        """
        if not calls:
            return []
        answers = [
            await self._codemode.execute(
                call.tool, call.arguments, call_id=call.call_id, assembly=self._assembly
            )
            for call in calls
        ]
        self._add(*self._wire.result_messages(answers))
        return answers

    def resume(self, entries: Iterable[Entry]) -> None:
        """Go on where a log ends: take its messages, and answer the calls left open in it.

        A call whose result is on record gets that result. Of the others the model is told
        whether they had begun; see `codemode.session.repairs`.
        """
        recorded = list(entries)
        self.messages = [e.event.message for e in recorded if isinstance(e.event, MessageAdded)]
        open_calls = self._wire.unanswered_calls(self.messages)
        if not open_calls:
            return
        known = {e.event.call_id for e in recorded if isinstance(e.event, ToolCalled)}
        for call in open_calls:
            if call.call_id not in known:
                event = ToolCalled(call_id=call.call_id, tool=call.tool, arguments=call.arguments)
                self._codemode.session.emit(event)
                recorded.append(Entry(seq=0, at_ms=0, event=event))
        results = {e.event.call_id: e.event for e in recorded if isinstance(e.event, ToolReturned)}
        for repair in repairs(recorded):
            self._codemode.session.emit(repair)
            results[repair.call_id] = repair
        self._add(*self._wire.result_messages([_answer(results[c.call_id]) for c in open_calls]))

    def _add(self, *messages: Json) -> None:
        for message in messages:
            self._codemode.session.emit(MessageAdded(message=message))
            self.messages.append(message)


def recorded_bodies(entries: Iterable[Entry], wire: WireForm) -> Iterator[bytes]:
    """Yield the body of each request of a log, byte for byte as it was sent.

    Raises:
        RuntimeFault: If a body has another digest than the one on record: the log was changed,
            secrets were blacked out of it, or another wire form was used.
    """
    for request in recorded_requests(entries):
        assembly = Assembly(
            system=request.system,
            tools=[tool for tool in request.tools if isinstance(tool, dict)],
        )
        body = body_bytes(wire.request_body(assembly, request.messages, request.parameters))
        if hashlib.sha256(body).hexdigest() != request.body_sha256:
            raise RuntimeFault(
                f"a request of {request.api} cannot be made again as it was; the log was "
                "changed since, or had secrets blacked out"
            )
        yield body


def _answer(result: ToolReturned) -> Answer:
    parts = tuple(_part(record) for record in result.content if isinstance(record, dict))
    return Answer(call_id=result.call_id, tool=result.tool, parts=parts, is_error=result.is_error)


def _part(record: Mapping[str, object]) -> Part:
    match record:
        case {"type": "text", "text": str(text)}:
            return TextPart(text)
        case {"type": "image", "data": str(image), "mimeType": str(mime_type)}:
            return ImagePart(data=image, mime_type=mime_type)
    return OtherPart(record)
