"""The tools of one host, gathered under their names."""

from __future__ import annotations

import pydantic

from codemode.errors import UsageError
from codemode.runtime import CodeBindingNamespace
from codemode.tools.approval import ApprovalHandler
from codemode.tools.config import ToolsConfig
from codemode.tools.definition import Presentation
from codemode.tools.scopes import Scope


class ToolRegistry(Scope):
    """Tools by name, and the policies that every call of them meets: the outermost scope.

    Args:
        mode: As in `ToolsConfig`.
        max_parallel_calls: Likewise.
        approval: Asks a person where a policy wants it; without one, such calls are denied.

    Raises:
        UsageError: If the configuration is not valid.
    """

    def __init__(
        self,
        *,
        mode: Presentation = "native",
        max_parallel_calls: int = 10,
        approval: ApprovalHandler | None = None,
    ) -> None:
        try:
            config = ToolsConfig(mode=mode, max_parallel_calls=max_parallel_calls)
        except pydantic.ValidationError as error:
            detail = error.errors()[0]
            raise UsageError(
                f"{detail['loc'][0]}: {detail['msg']}, not {detail['input']!r}"
            ) from None
        super().__init__("", None, config, approval)

    def binding_namespaces(self) -> tuple[CodeBindingNamespace, ...]:
        """Return what is registered now as globals of a program: `tools` and the namespaces.

        Calls go through the pipeline. The programs that are given these share a queue and what a
        person allows for a run; ask for new ones for each run that is to be asked about anew.
        """
        return self.program_calls().bindings

    def binding_namespace(self) -> CodeBindingNamespace:
        """Return the global `tools` alone, which has every tool; see `binding_namespaces`."""
        return self.binding_namespaces()[0]
