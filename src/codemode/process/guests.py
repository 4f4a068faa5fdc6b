"""Where runs get their guests: the current template, its spares, and its replacement in time."""

from __future__ import annotations

import json
import logging
from collections import deque
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import anyio

from codemode.errors import RuntimeFault
from codemode.process.run import cpu_limit_s
from codemode.process.template import Template
from codemode_guest.control import Settings

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from codemode.process.config import ProcessRuntimeConfig
    from codemode.process.guest import Guest

#: A template that was dismissed has only to kill its guests.
_DISMISSAL_S: Final = 5.0
#: What a program needs beyond the bare template: its source, its frames, one result.
_HEADROOM_BYTES: Final = 24 * 2**20

#: A run that has not ended by then waits for something, and forking no longer disturbs it.
_SHORT_RUN_S: Final = 0.005

_log = logging.getLogger("codemode.process")


class MemoryBudgetError(RuntimeFault):
    """The memory budget has no room for a program beside the interpreter."""

    def __init__(self, memory_bytes: int, needed_bytes: int) -> None:
        """Say what is asked and what would do."""
        super().__init__(
            f"memory_bytes={memory_bytes} leaves no room for a program: the interpreter and the "
            f"modules on offer take {needed_bytes - _HEADROOM_BYTES} bytes of address space; "
            f"set memory_bytes to at least {needed_bytes}"
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
        self._template: Template | None = None
        self._spares: deque[tuple[Template, Guest]] = deque()
        self._retired: list[Template] = []
        self._starting = anyio.Lock()
        self._changed = anyio.Event()
        self._taken = anyio.Event()
        self._closed = False
        settings = Settings(
            memory_bytes=config.memory_bytes,
            cpu_seconds=cpu_limit_s(config),
            max_pending_calls=config.max_pending_calls,
            max_frame_bytes=config.max_frame_bytes,
            max_output_bytes=config.max_output_bytes,
        )
        self._settings = json.dumps(asdict(settings))

    async def open(self) -> None:
        """Start the first template and its spares.

        Raises:
            RuntimeFault: If it does not come up, or the memory budget is smaller than it.
        """
        await self._start_template()
        self.refill()
        if self._config.spare_guests:
            self._owner.start_soon(self._keep_spares)

    async def take(self) -> Guest:
        """Return a guest that nothing was sent to: a spare, or one forked for this call.

        Raises:
            RuntimeFault: If none can be had.
        """
        while self._spares:
            template, guest = self._spares.popleft()
            # The end of a template is the end of its guests, though not in the same moment.
            if not (template.has_ended() or guest.has_ended()):
                self._taken.set()
                return guest
            await self._discard(guest)
        return (await self._living_template()).fork()

    def release(self, guest: Guest) -> None:
        """Take back a guest whose process has ended, and get ready for the next run."""
        guest.close()
        self.refill()

    def refill(self) -> None:
        """Fork spares up to their number, and have the template replaced when it is due."""
        template = self._template
        if self._closed or template is None or template.has_ended():
            return
        if (
            template.forks >= self._config.guests_per_template
            and not self._starting.statistics().locked
        ):
            self._owner.start_soon(self._replace)
        try:
            while len(self._spares) < self._config.spare_guests:
                self._spares.append((template, template.fork(spare=True)))
        except RuntimeFault as error:
            # The run that finds no spare will ask for itself, and be told.
            _log.warning("no spare guest: %s", error)

    async def close(self) -> None:
        """End every guest and every template, and wait until they are gone."""
        self._closed = True
        templates = [*self._retired, *([self._template] if self._template else [])]
        for template in templates:
            template.dismiss()
        with anyio.move_on_after(_DISMISSAL_S):
            while self._template is not None or self._retired:
                await self._wait_changed()
        for template in templates:
            template.kill()
        while self._template is not None or self._retired:
            await self._wait_changed()
        while self._spares:
            await self._discard(self._spares.popleft()[1])

    async def _living_template(self) -> Template:
        async with self._starting:
            template = self._template
            if template is None or template.has_ended():
                template = await self._start_template()
            return template

    async def _start_template(self) -> Template:
        template = await Template.start(self._settings)
        self._owner.start_soon(self._serve, template)
        needed = template.size_bytes + _HEADROOM_BYTES
        if self._config.memory_bytes < needed:
            template.dismiss()
            raise MemoryBudgetError(self._config.memory_bytes, needed)
        self._template = template
        return template

    async def _serve(self, template: Template) -> None:
        await template.serve(lambda: self._note(template))
        if self._template is template:
            self._template = None
        if template in self._retired:
            self._retired.remove(template)
        self._note(template)

    def _note(self, template: Template) -> None:
        """Tell those who wait, and let a retired template go when its last guest has."""
        if template in self._retired and template.idle:
            template.dismiss()
        self._changed.set()
        self._changed = anyio.Event()

    async def _replace(self) -> None:
        """Start a new template and retire the old one, which ends with its last run."""
        async with self._starting:
            old = self._template
            if self._closed or old is None or old.forks < self._config.guests_per_template:
                return
            try:
                await self._start_template()
            except RuntimeFault as error:
                _log.warning("the template stays in use: %s", error)
                return
            self._retired.append(old)
            spares = [guest for template, guest in self._spares if template is old]
            self._spares = deque(pair for pair in self._spares if pair[0] is not old)
            self.refill()
            for guest in spares:
                await self._discard(guest)
            self._note(old)

    async def _keep_spares(self) -> None:
        """Refill while runs go on, though not in the first moments of a short one."""
        while True:
            await self._taken.wait()
            self._taken = anyio.Event()
            await anyio.sleep(_SHORT_RUN_S)
            self.refill()

    async def _discard(self, guest: Guest) -> None:
        guest.kill()
        await guest.ended.wait()
        guest.close()

    async def _wait_changed(self) -> None:
        await self._changed.wait()
