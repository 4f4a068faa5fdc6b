"""pydantic-monty: a subset of Python in Rust, in worker processes that the pool hands out again."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, ClassVar, Final, Literal

from pydantic_monty import AsyncMonty

from benchmarks.peers import Confinement, Peer, echo, table
from benchmarks.work import Task, awaited, programs

_TOOLS: Final = {"echo": echo, "table": table}


class Monty(Peer):
    title = "pydantic-monty"
    confines: ClassVar[Confinement] = "language rules"
    process: ClassVar[Literal["a worker, reused"]] = "a worker, reused"
    # Its `process_time` stands still.
    programs: ClassVar[Mapping[Task, str]] = programs(
        awaited("echo(text='hello')", "len(await table())", cpu_clock="time.perf_counter()")
    )

    @classmethod
    def version(cls) -> str:
        return f"pydantic-monty {version('pydantic-monty')}"

    async def open(self) -> None:
        self._fresh = AsyncMonty(max_checkouts_per_worker=1)
        self._pool = AsyncMonty()
        await self._fresh.__aenter__()
        await self._pool.__aenter__()
        await self.rerun("return 0")

    async def close(self) -> None:
        await self._pool.__aexit__(None, None, None)
        await self._fresh.__aexit__(None, None, None)

    async def run(self, program: str) -> Any:
        return await self._feed(self._fresh, program)

    async def rerun(self, program: str) -> Any:
        return await self._feed(self._pool, program)

    @staticmethod
    async def _feed(pool: AsyncMonty, program: str) -> Any:
        async with pool.checkout() as session:
            return await session.feed_run(program, external_lookup=_TOOLS)
