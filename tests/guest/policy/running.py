"""How the tests of the policy compile and run programs: in-process, with stand-in guards."""

from __future__ import annotations

import ast
import asyncio
import builtins
from collections.abc import Callable, Coroutine
from types import CodeType
from typing import Any

import pytest

from codemode_guest.policy import MAIN, Refusal, compile_program
from codemode_guest.policy.transformer import Policy
from codemode_guest.policy.walk import Reading


class Guards:
    """Guards that let everything pass and remember what they were asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def private(self, obj: object, name: str) -> object:
        self.asked.append(("private", name))
        return getattr(obj, name)

    def format(self, obj: object, name: str) -> object:
        self.asked.append(("format", name))
        return getattr(obj, name)

    def own(self, obj: object) -> object:
        self.asked.append(("own", type(obj).__name__))
        return obj

    def pattern(self, cls: Any, _count: int) -> object:
        self.asked.append(("pattern", getattr(cls, "__name__", "?")))
        return cls

    def namespace(self, names: Any) -> object:
        self.asked.extend(("namespace", name) for name in names)
        return names


def namespace(guards: Guards) -> dict[str, Any]:
    return {
        "__builtins__": dict(vars(builtins)),
        "__name__": "__main__",
        "_private_": guards.private,
        "_format_": guards.format,
        "_namespace_": guards.namespace,
        "_own_": guards.own,
        "_pattern_": guards.pattern,
    }


def run(source: str, guards: Guards | None = None, **names: object) -> Any:
    """Compile a program under the policy and return what its body returns."""
    found = namespace(guards or Guards()) | names
    exec(compile_program(source, public_names=_public_names).code, found)  # noqa: S102 - the test
    main: Callable[[], Coroutine[Any, Any, object]] = found.pop(MAIN)
    return asyncio.run(main())


def asked(source: str, **names: object) -> list[tuple[str, str]]:
    """Run a program and return what its guards were asked."""
    guards = Guards()
    run(source, guards, **names)
    return guards.asked


def is_native(source: str) -> bool:
    """Whether the policy leaves a program's syntax tree exactly as it was parsed."""
    tree = ast.parse(source)
    before = ast.dump(tree)
    policy = Policy(Reading(source_lines=tuple(source.split("\n"))))
    policy.visit(tree)
    assert policy.findings == []
    return ast.dump(tree) == before


def refusal(source: str, **knowledge: Any) -> Refusal:
    """Return the refusal of a program."""
    with pytest.raises(Refusal) as caught:
        compile_program(source, **knowledge)
    return caught.value


def words(source: str, **knowledge: Any) -> str:
    """Return the reason and the substitute of a program's only finding, as a model reads them."""
    (finding,) = refusal(source, **knowledge).findings
    return finding.reason + ("" if finding.substitute is None else f"; {finding.substitute}")


def codes(code: CodeType) -> list[CodeType]:
    """Return the code objects of a program, without the module around its body."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [found for const in inner for found in (const, *codes(const))]


def _public_names(module: str) -> tuple[str, ...]:
    return {"math": ("pi", "sqrt"), "string": ("digits",)}.get(module, ())
