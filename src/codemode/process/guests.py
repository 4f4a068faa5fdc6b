"""Where runs get their guests: the current template, its spares, and its replacement in time."""

from __future__ import annotations

import json
import logging
import math
import os
import socket
from collections import deque
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import anyio

from codemode.errors import RuntimeFault
from codemode.process.containment import (
    Containment,
    MissingLayerError,
    UnknownContainmentError,
    read_containment,
)
from codemode.process.cpu import cpu_limit_s
from codemode.process.template import Template
from codemode_guest.control import Settings

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from codemode.process.config import ProcessRuntimeConfig
    from codemode.process.guest import Guest

#: A template that was dismissed has only to kill its guests.
_DISMISSAL_S: Final = 5.0
#: A guest is ready within milliseconds.
_PROBE_S: Final = 10.0
#: After a template could not be replaced, the next try waits this long.
_REPLACE_AGAIN_S: Final = 30.0
_MIB: Final = 2**20
#: What a program needs beyond the bare template: its source, its frames, one result.
_HEADROOM_BYTES: Final = 24 * _MIB

#: When no run has begun or ended for so long, those that go on wait for something, and forking is
#: in nobody's way.
_QUIET_S: Final = 0.005

_log = logging.getLogger("codemode.process")


class MemoryBudgetError(RuntimeFault):
    """The memory budget has no room for a program beside the interpreter."""

    def __init__(self, memory_bytes: int, needed_bytes: int) -> None:
        """Say what is asked and what would do.

        Where the system puts things makes the interpreter some pages larger or smaller each time,
        so what would do is told with a mebibyte to spare.
        """
        super().__init__(
            f"memory_bytes={memory_bytes} leaves no room for a program: the interpreter and the "
            f"modules on offer take {needed_bytes - _HEADROOM_BYTES} bytes of address space; "
            f"set memory_bytes to at least {-(-needed_bytes // _MIB) * _MIB + _MIB}"
        )


class Guests:
    """Gives out guests, each for one run.

    Args:
        config: Of the runtime.
        owner: A task group that lives as long as the runtime is open; templates are served,
            started anew and buried in it.
    """

    def __init__(self, config: ProcessRuntimeConfig, owner: TaskGroup) -> None:
        self._config = config
        self._owner = owner
        # Every template that is served; one of them forks, the retired end with their last run.
        self._templates: set[Template] = set()
        self._retired: set[Template] = set()
        self._template: Template | None = None
        self._spares: deque[tuple[Template, Guest]] = deque()
        self._starting = anyio.Lock()
        self._replacement: anyio.CancelScope | None = None
        self._no_replacement_before = -math.inf
        self._changed = anyio.Event()
        self._lent = 0
        self._moved = anyio.Event()
        self._closed = False
        settings = Settings(
            memory_bytes=config.memory_bytes,
            cpu_seconds=cpu_limit_s(config),
            max_pending_calls=config.max_pending_calls,
            max_frame_bytes=config.max_frame_bytes,
            max_frame_parts=config.max_frame_parts,
            max_output_bytes=config.max_output_bytes,
            layers=config.confinement.layers("required", "best-effort"),
        )
        self._settings = json.dumps(asdict(settings))

    async def open(self) -> None:
        """Start the first template and its spares.

        Raises:
            TemplateStartError: If it does not come up.
            MemoryBudgetError: If the memory budget is smaller than it.
            MissingLayerError: If a layer of confinement is required and cannot be had.
        """
        await self._living_template()
        self.refill()
        if self._config.spare_guests:
            self._owner.start_soon(self._keep_spares)

    async def take(self) -> Guest:
        """Return a guest that nothing was sent to: a spare, or one forked for this call.

        Raises:
            TemplateStartError: If a template was needed and did not come up.
            OutOfDescriptorsError: If the host may open no more.
        """
        guest = await self._take_spare() or (await self._living_template()).fork()
        self._lent += 1
        self._moved.set()
        self._replace_when_due()
        return guest

    async def _take_spare(self) -> Guest | None:
        while self._spares:
            template, guest = self._spares.popleft()
            # The end of a template is the end of its guests, though not in the same moment.
            if not (template.has_ended() or guest.has_ended()):
                return guest
            await _discard(guest)
        return None

    def release(self, guest: Guest) -> None:
        """Take back a guest whose process has ended."""
        guest.close()
        self._lent -= 1
        self._moved.set()

    def refill(self) -> None:
        """Fork spares up to their number."""
        template = self._template
        if self._closed or template is None or template.has_ended():
            return
        try:
            while len(self._spares) < self._config.spare_guests:
                self._spares.append((template, template.fork(spare=True)))
        except RuntimeFault as error:
            # The run that finds no spare will ask for itself, and be told.
            _log.warning("no spare guest: %s", error)

    async def close(self) -> None:
        """End every guest and every template, and wait until they are gone.

        No run may be going on.
        """
        self._closed = True
        if self._replacement is not None:
            self._replacement.cancel()
        for template in self._templates:
            template.dismiss()
        with anyio.move_on_after(_DISMISSAL_S):
            await self._wait_gone()
        for template in self._templates:
            template.kill()
        await self._wait_gone()
        while self._spares:
            await _discard(self._spares.popleft()[1])

    async def containment(self) -> Containment:
        """Return what confines guests, read from one that is forked for it and has run nothing.

        Raises:
            TemplateStartError: If a template was needed and did not come up.
            OutOfDescriptorsError: If the host may open no more.
            UnknownContainmentError: If the guest did not live to be looked at.
        """
        template = await self._living_template()
        guest = template.fork()
        try:
            with anyio.fail_after(_PROBE_S):
                await guest.held.wait()
                # It says that it is ready once it is confined.
                await anyio.wait_readable(guest.socket)
            if guest.fork_error is not None:
                raise UnknownContainmentError(os.strerror(guest.fork_error))
            if not guest.socket.recv(1, socket.MSG_PEEK):
                raise UnknownContainmentError(guest.stderr() or "it has ended")
            return read_containment(template, guest, self._config.confinement)
        except OSError as error:  # a timeout too
            raise UnknownContainmentError(guest.stderr() or str(error)) from None
        finally:
            await _discard(guest)

    async def _wait_gone(self) -> None:
        while self._templates or self._replacement is not None:
            await self._changed.wait()

    async def _living_template(self) -> Template:
        async with self._starting:
            if self._template is None or self._template.has_ended():
                self._template = await self._start_template()
            return self._template

    async def _start_template(self) -> Template:
        template = await Template.start(self._settings)
        self._templates.add(template)
        self._owner.start_soon(self._serve, template)
        needed = template.size_bytes + _HEADROOM_BYTES
        if self._config.memory_bytes < needed:
            template.dismiss()
            raise MemoryBudgetError(self._config.memory_bytes, needed)
        required = self._config.confinement.layers("required")
        if lacking := {
            layer: template.missing[layer] for layer in required if layer in template.missing
        }:
            template.dismiss()
            raise MissingLayerError(lacking)
        return template

    async def _serve(self, template: Template) -> None:
        try:
            await template.serve(lambda: self._dismiss_idle(template))
        finally:
            self._templates.discard(template)
            self._retired.discard(template)
            if self._template is template:
                self._template = None
            self._tell()

    def _dismiss_idle(self, template: Template) -> None:
        if template in self._retired and template.idle:
            template.dismiss()

    def _tell(self) -> None:
        """Wake those who wait for templates to go."""
        self._changed.set()
        self._changed = anyio.Event()

    def _replace_when_due(self) -> None:
        """Have the template replaced when it has forked as often as it may."""
        template = self._template
        if self._closed or self._replacement is not None or template is None:
            return
        if template.forks >= self._config.guests_per_template:
            self._replacement = anyio.CancelScope()
            self._owner.start_soon(self._replace, self._replacement)

    async def _replace(self, scope: anyio.CancelScope) -> None:
        """Start a new template and retire the old one, which serves until then."""
        try:
            with scope:
                await anyio.sleep(max(0.0, self._no_replacement_before - anyio.current_time()))
                new = await self._start_template()
                old, self._template = self._template, new
                if old is not None:
                    await self._retire(old)
        except RuntimeFault as error:
            _log.warning("the template stays in use: %s", error)
            self._no_replacement_before = anyio.current_time() + _REPLACE_AGAIN_S
        finally:
            self._replacement = None
            self._tell()

    async def _retire(self, template: Template) -> None:
        self._retired.add(template)
        spares = [guest for forked_by, guest in self._spares if forked_by is template]
        self._spares = deque(pair for pair in self._spares if pair[0] is not template)
        self.refill()
        for guest in spares:
            await _discard(guest)
        self._dismiss_idle(template)

    async def _keep_spares(self) -> None:
        """Refill when no run needs the machine; while there are many, a spare costs more."""
        while True:
            await self._moved.wait()
            is_quiet = False
            while not is_quiet:
                self._moved = anyio.Event()
                with anyio.move_on_after(_QUIET_S) as waiting:
                    if self._lent:
                        await self._moved.wait()
                is_quiet = waiting.cancelled_caught or not self._lent
            self.refill()


async def _discard(guest: Guest) -> None:
    """See off a guest that nobody uses; not to be interrupted, for nobody else knows of it."""
    with anyio.CancelScope(shield=True):
        await guest.end()
        guest.close()
