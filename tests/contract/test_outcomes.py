"""What comes of a program: a value, no value, or a failure of the right kind."""

import pytest

from codemode import ABSENT, CodeRuntime
from tests.contract.conftest import MakeRuntime, RunProgram, request_for


async def test_the_returned_value_is_the_completion_value(run: RunProgram) -> None:
    """Top-level await and return work, and the value crosses as it is (checklist 81)."""
    result = await run("return {'a': [1, 2.5, None, True, 'é\\ud83d']}")

    assert result.error is None
    assert repr({"a": [1, 2.5, None, True, "é\ud83d"]}) == repr(result.value)


async def test_a_program_without_return_has_no_value(run: RunProgram) -> None:
    """No value is not the value None (checklist 92)."""
    result = await run("x = 1")

    assert result.error is None
    assert result.value is ABSENT


async def test_a_bare_return_is_no_value_either(run: RunProgram) -> None:
    """`return` alone ends the program and says nothing (checklist 92)."""
    result = await run("if True:\n    return\nprint('not reached')")

    assert result.error is None
    assert result.value is ABSENT
    assert () == result.logs


async def test_an_explicit_none_is_a_value(run: RunProgram) -> None:
    """`return None` is an answer (checklist 92)."""
    result = await run("return None")

    assert result.error is None
    assert result.value is None


async def test_an_exception_has_its_type_its_place_and_what_was_printed(run: RunProgram) -> None:
    """A model reads what, where and how far it came (checklist 75, 90)."""
    result = await run("print('before')\n\ndef fail():\n    raise ValueError('no')\n\nfail()")

    assert ("before",) == result.logs
    assert result.value is ABSENT
    error = result.error
    assert error is not None
    assert "exception" == error.kind
    assert "run" == error.phase
    assert (4, "    raise ValueError('no')") == (error.line, error.source_line)
    assert "ValueError" == error.exception_type
    assert error.message.startswith("ValueError: no\n  line 6\n    fail()\n  line 4, in fail\n")


async def test_a_program_that_does_not_parse_is_a_compile_failure(run: RunProgram) -> None:
    """Line and column are the model's own (checklist 91)."""
    result = await run("x = 1\ny = (2 +\n")

    error = result.error
    assert error is not None
    assert ("exception", "compile", "SyntaxError") == (
        error.kind,
        error.phase,
        error.exception_type,
    )
    assert 2 == error.line


async def test_a_forbidden_construct_is_refused_before_anything_runs(run: RunProgram) -> None:
    """The policy speaks in the compile phase, and nothing was printed."""
    result = await run("print('side effect')\nx = ().__class__.__subclasses__()")

    error = result.error
    assert error is not None
    assert ("exception", "compile", 2) == (error.kind, error.phase, error.line)
    assert () == result.logs


@pytest.mark.parametrize(
    "expression, path",
    [
        ("{'a': [1, float('nan')]}", "$.a[1]"),
        ("[{1: 2}]", "$[0]"),
        ("{'s': {1, 2}}", "$.s"),
        ("b'bytes'", "$"),
        ("10 ** 4300", "$"),
        ("print", "$"),
    ],
)
async def test_a_value_that_is_not_lossless_json_is_invalid_output(
    run: RunProgram, expression: str, path: str
) -> None:
    """The failure names the path of the offender (checklist 93, 96)."""
    result = await run(f"print('kept')\nreturn {expression}")

    error = result.error
    assert error is not None
    assert "invalid-output" == error.kind
    assert f"{path}: " in error.message
    assert ("kept",) == result.logs


async def test_a_value_that_contains_itself_is_invalid_output(run: RunProgram) -> None:
    """A cycle is found, not followed (checklist 93)."""
    result = await run("x = [1]\nx.append({'again': x})\nreturn x")

    error = result.error
    assert error is not None
    assert "invalid-output" == error.kind
    assert "$[1].again: the value contains itself" in error.message


async def test_tuples_come_back_as_lists(run: RunProgram) -> None:
    """Exact tuples cross; there is no such thing in JSON."""
    assert [1, [2]] == (await run("return (1, (2,))")).value


async def test_10_000_levels_cross_in_all_three_directions(run: RunProgram) -> None:
    """Arguments, results and values may be as deep as that (checklist 94)."""

    async def echo(args: dict[str, object]) -> object:
        return args["value"]

    result = await run(
        "x = 7\nfor _ in range(10_000):\n    x = [x]\nreturn await tools.echo(value=x)", echo=echo
    )

    assert result.error is None
    value, depth = result.value, 0
    while isinstance(value, list):
        (value,) = value
        depth += 1
    assert (7, 10_000) == (value, depth)


async def test_big_integers_and_negative_zero_cross_exactly(run: RunProgram) -> None:
    """Integers up to 4,300 digits, and the sign of zero (checklist 96)."""
    result = await run("return [10**4299, -(2**60), -0.0, 1e308]")

    assert repr([10**4299, -(2**60), -0.0, 1e308]) == repr(result.value)


async def test_a_program_may_raise_anything_and_it_is_an_exception(run: RunProgram) -> None:
    """Exit, cancellation and an interrupt of the program's own are its exceptions (75)."""
    for name in ("SystemExit", "KeyboardInterrupt", "asyncio.CancelledError", "GeneratorExit"):
        result = await run(f"import asyncio\nraise {name}('mine')")
        error = result.error
        assert error is not None, name
        assert ("exception", name.rpartition(".")[2]) == (error.kind, error.exception_type)


async def test_a_memory_error_of_the_programs_making_is_an_exception(run: RunProgram) -> None:
    """What a program raises says nothing about its memory."""
    error = (await run("raise MemoryError('pretend')")).error

    assert error is not None
    assert "exception" == error.kind


async def test_output_over_its_cap_is_a_failure_that_keeps_what_came_before(
    make_runtime: MakeRuntime,
) -> None:
    """The run says so and shows the first of it (checklist 87)."""
    async with make_runtime(max_output_bytes=100) as runtime:
        result = await runtime.run(request_for("while True:\n    print('0123456789')"))

    error = result.error
    assert error is not None
    assert ("output-limit", "max_output_bytes") == (error.kind, error.budget)
    # Eight lines of twelve bytes each, and of the ninth the two characters that still fit.
    assert ("0123456789",) * 8 + ("01",) == result.logs


@pytest.mark.parametrize("spare_bytes, ending", [(1, None), (0, None), (-1, "output-limit")])
async def test_the_cap_counts_logs_and_value_together_to_the_byte(
    make_runtime: MakeRuntime, spare_bytes: int, ending: str | None
) -> None:
    """What is exactly as long as the cap still fits (checklist 98)."""
    cap = len('"ab"') + len('["é"]'.encode()) + spare_bytes
    async with make_runtime(max_output_bytes=cap) as runtime:
        result = await runtime.run(request_for("print('ab')\nreturn ['é']"))

    assert ending == (result.error and result.error.kind)
    assert ("ab",) == result.logs


async def test_a_failure_message_over_the_cap_is_an_output_limit_that_quotes_it(
    make_runtime: MakeRuntime,
) -> None:
    """What the program failed with is still to be read."""
    async with make_runtime(max_output_bytes=20) as runtime:
        result = await runtime.run(request_for("raise ValueError('a long story')"))

    error = result.error
    assert error is not None
    assert "output-limit" == error.kind
    assert "ValueError: a long story" in error.message


async def test_no_state_crosses_runs(runtime: CodeRuntime) -> None:
    """Each program starts in a fresh world (checklist 82)."""
    first = await runtime.run(request_for("global kept\nkept = 1\nreturn kept"))
    second = await runtime.run(request_for("return kept"))

    assert 1 == first.value
    assert second.error is not None
    assert "NameError" == second.error.exception_type


async def test_rebinding_builtins_fools_only_the_program(run: RunProgram) -> None:
    """Neither the value nor the accounting depends on names that a program can bind (89)."""
    result = await run(
        "isinstance = len = str = type = repr = print2 = None\n"
        "import json\n"
        "try:\n    json.dumps = None\nexcept AttributeError:\n    pass\n"
        "print('x')\nreturn {'a': 1}"
    )

    assert result.error is None
    assert {"a": 1} == result.value
    assert ("x",) == result.logs


@pytest.mark.parametrize("answer", ["raise SystemExit", "return 7", "while True: raise ValueError"])
async def test_an_exception_that_resists_being_looked_at_is_an_exception(
    run: RunProgram, answer: str
) -> None:
    """What the interpreter keeps in it is read past the program's own code (checklist 90)."""
    program = (
        f"class E(Exception):\n    def __getattribute__(self, name):\n        {answer}\n"
        "raise E('x')"
    )
    error = (await run(program)).error

    assert error is not None
    assert ("exception", "E", 4) == (error.kind, error.exception_type, error.line)


async def test_a_value_of_a_hundred_thousand_levels_is_invalid_output(run: RunProgram) -> None:
    """Too deep is said as such, whatever it would take to walk it."""
    error = (await run("x = []\nfor _ in range(400_000):\n    x = [x]\nreturn x")).error

    assert error is not None
    assert "invalid-output" == error.kind
    assert "20000 levels" in error.message
