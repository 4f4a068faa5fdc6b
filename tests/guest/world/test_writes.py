"""What a program writes into the library's classes and ours changes nothing of the guest's own.

A process serves one program, so classes are left open: what a program breaks is its own. The
guest's own work must go on: calls, the log, the value, and what is said of a failure. (That a name
is suggested for a misspelt tool is not: `difflib` is asked where the program stands.)
"""

from __future__ import annotations

import pytest

from codemode import (
    CodeBindingErrorClass,
    CodeBindingNamespace,
    CodeRunRequest,
    CodeRunResult,
    ProcessRuntime,
    ProcessRuntimeConfig,
)
from codemode_guest.world.table.modules import MODULES

#: Replaces every attribute that can be written of every class behind every name, and the names of
#: the facades, past their own refusal.
WRECK = f"""
import {", ".join(sorted(MODULES))}
def evil(*args, **options):
    raise RuntimeError("evil")
written = 0
def wreck(owner):
    global written
    for name in dir(owner):
        try:
            setattr(owner, name, evil)
            written += 1
        except (AttributeError, TypeError):
            pass
facades = [{", ".join(sorted(MODULES))}]
found = [getattr(module, name) for module in facades for name in dir(module)]
found += [asyncio.create_task(asyncio.sleep(0)), asyncio.gather(), asyncio.current_task(), tools]
found += [next(asyncio.Future().__await__()), asyncio.as_completed([]), tools.ask]
classes = set()
for each in found:
    classes.update(type(each).__mro__)
    if isinstance(each, type):
        classes.update(each.__mro__)
for cls in classes:
    wreck(cls)
object.__setattr__(json, "dumps", evil)
type.__setattr__(type(json), "loads", evil)
assert written > 1500, written
"""

ENDS = {
    "calls and a value": """
print("before")
answer = await tools.ask(a=[1, {"b": 2.5}])
try:
    await tools.fail()
except ToolCallError as error:
    print(error, error.tool_name)
return {"a": [answer, None, 1.5, "\\ud800"]}""",
    "a failure": """
async def inner():
    answer = await tools.ask(a=1)
    return answer["mising"]
await inner()""",
    "a value that is none": "return {'a': {1, 2}}",
    "a busy task": """
async def other():
    return await tools.ask(a=1)
task = other()
return [await task, await tools.ask({"a": "x" * 1000})]""",
}


async def ask(args: object) -> object:
    """Answer with what was asked."""
    return {"asked": args}


async def fail(args: object) -> object:
    """Fail."""
    raise RuntimeError(f"no {args}")


TOOLS = CodeBindingNamespace(
    global_name="tools",
    functions={"ask": ask, "fail": fail},
    error_class=CodeBindingErrorClass(name="ToolCallError", member_name_property="tool_name"),
)


async def _ended(runtime: ProcessRuntime, program: str) -> tuple[object, ...]:
    result: CodeRunResult = await runtime.run(CodeRunRequest(program=program, bindings=(TOOLS,)))
    error = result.error
    lines = program.count("\n")
    return (
        result.value,
        result.logs,
        error
        and (
            error.kind,
            error.message.replace(f"line {lines}", "line N").replace(f"line {lines - 1}", "line M"),
        ),
    )


@pytest.fixture
def anyio_backend() -> str:
    """One is enough: the guest is the same."""
    return "asyncio"


@pytest.mark.parametrize("end", ENDS)
async def test_what_is_written_changes_nothing_of_the_guests_own(end: str) -> None:
    """The run ends as it does without: value, log, and the words of its failure."""
    padding = "\n" * WRECK.count("\n")
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        plain = await _ended(runtime, padding + ENDS[end])
        wrecked = await _ended(runtime, WRECK + ENDS[end])

    assert plain == wrecked
