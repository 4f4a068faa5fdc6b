"""Generators by language, and the one function that picks one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from codemode.errors import UsageError
from codemode.sdk.entries import Tool
from codemode.sdk.python import PythonSdk
from codemode.sdk.vocabulary import Form, SdkBudget, SdkGenerator, SdkText

#: What each language's programs are shown.
GENERATORS: Mapping[str, SdkGenerator] = MappingProxyType({"python": PythonSdk()})


class UnknownLanguageError(UsageError):
    """No generator writes this language."""

    def __init__(self, language: str, known: Iterable[str]) -> None:
        names = ", ".join(sorted(map(repr, known)))
        super().__init__(
            f"there is no SDK generator for the language {language!r}; there is one for {names}"
        )
        self.language = language


def generate(
    tools: Iterable[Tool],
    *,
    language: str = "python",
    form: Form = "prompt",
    budget: SdkBudget | None = None,
) -> SdkText:
    """Return the SDK text of a set of tools, and how much of it there is.

    Args:
        tools: Definitions, or entries of an MCP tools/list answer, in any order.
        language: That of the programs: `runtime.language`.
        form: `prompt` for a model, `stub` for type checkers and editors.
        budget: The text is shortened until it fits.

    Raises:
        UnknownLanguageError: If no generator writes the language.
        UnnamedToolError: If an entry has no name.
    """
    generator = GENERATORS.get(language)
    if generator is None:
        raise UnknownLanguageError(language, GENERATORS)
    return generator.generate(tools, form=form, budget=budget)


def render_sdk(
    tools: Iterable[Tool],
    *,
    language: str = "python",
    form: Form = "prompt",
    budget: SdkBudget | None = None,
) -> str:
    """Return the text that `generate` makes."""
    return generate(tools, language=language, form=form, budget=budget).text
