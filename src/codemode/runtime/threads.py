"""How another thread reaches this one's event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sniffio

if TYPE_CHECKING:
    from collections.abc import Callable


def threadsafe_scheduler() -> Callable[[Callable[[], object]], object]:
    """Return what has the current event loop call a function soon, from any thread."""
    if sniffio.current_async_library() == "trio":
        import trio  # noqa: PLC0415 - it is the current library, so it is there

        return trio.lowlevel.current_trio_token().run_sync_soon
    import asyncio  # noqa: PLC0415 - likewise

    return asyncio.get_running_loop().call_soon_threadsafe
