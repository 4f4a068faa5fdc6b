"""What a runtime tells of its confinement is what the kernel tells."""

from __future__ import annotations

import os
import sys

import psutil
import pytest

from codemode import CodeRunRequest, ProcessRuntime, ProcessRuntimeConfig
from codemode.process import Confinement, MissingLayerError, TemplateStartError
from codemode.runtime import RuntimeNotOpenError
from codemode_guest.confinement import LAYERS
from tests.process.conftest import descendants

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux confines")


async def test_the_essential_layers_are_active_without_being_asked_for() -> None:
    """And each layer is told, in the order of the configuration."""
    async with ProcessRuntime() as runtime:
        containment = await runtime.containment()

    assert LAYERS == tuple(fact.layer for fact in containment.layers)
    assert not {"resource_limits", "no_new_privileges", "capabilities", "seccomp"} & set(
        containment.missing
    )


async def test_a_layer_that_is_off_is_told_as_missing_whatever_was_asked_of_the_others() -> None:
    """Facts, with the configuration as the reason."""
    confinement = Confinement(seccomp="off", resource_limits="off", landlock="off")
    async with ProcessRuntime(ProcessRuntimeConfig(confinement=confinement)) as runtime:
        facts = {fact.layer: fact for fact in (await runtime.containment()).layers}

    for layer in ("seccomp", "resource_limits", "landlock"):
        assert not facts[layer].active
        assert facts[layer].evidence.endswith("; off in the configuration")
    assert facts["no_new_privileges"].active


async def test_asking_takes_no_process_away_and_leaves_none_behind() -> None:
    """The one that is looked at is forked for it and ended."""
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        before = descendants()
        await runtime.containment()

        assert before == descendants()
        assert 1 == (await runtime.run(CodeRunRequest(program="return 1"))).value


async def test_a_runtime_that_is_not_open_has_nothing_to_tell() -> None:
    """There is no process that could be looked at."""
    with pytest.raises(RuntimeNotOpenError):
        await ProcessRuntime().containment()


async def test_the_template_has_the_first_number_in_its_own_namespace_and_one_parent() -> None:
    """What was launched has made it and is gone; the host is the parent of one process."""
    async with ProcessRuntime(ProcessRuntimeConfig(spare_guests=0)) as runtime:
        facts = {fact.layer: fact for fact in (await runtime.containment()).layers}
        if not facts["pid_namespace"].active:
            pytest.skip("this system gives no PID namespace")
        (template,) = psutil.Process().children()
        with open(f"/proc/{template.pid}/status", encoding="utf-8") as status:  # noqa: PTH123
            (numbers,) = [line.split()[1:] for line in status if line.startswith("NSpid")]

    assert "1" == numbers[-1]


def test_the_error_of_a_missing_layer_says_what_why_and_what_to_do() -> None:
    """For whoever runs the machine."""
    error = MissingLayerError({"landlock": "Function not implemented"})

    assert "landlock is missing (Function not implemented): use Linux 5.13 or newer" in str(error)
    assert "'best-effort'" in str(error)
    assert ("landlock",) == error.layers


async def test_a_system_without_pidfds_is_told_what_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as macOS: a fault that says so, not an attribute that is missing."""
    monkeypatch.delattr(os, "pidfd_open")

    with pytest.raises(TemplateStartError, match=r"Linux 5\.4 or newer"):
        await ProcessRuntime().open()
