"""The table has a decision for every public name of every module, on this Python."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import pytest

from codemode_guest.world.imports import facades, left_out
from codemode_guest.world.stand_ins.gathered import STAND_INS
from codemode_guest.world.table import here
from codemode_guest.world.table.modules import MODULES


def public_names_of(module: str) -> set[str]:
    """What a module shows, its lazy names too.

    Without modules below it: they show in it once somebody has imported them.
    """
    real = importlib.import_module(module)
    shown = {*dir(real), *getattr(real, "__all__", ())}
    below = {name for name in shown if f"{module}.{name}" in sys.modules}
    return {name for name in shown - below if not name.startswith("_")}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_public_name_is_decided(module: str) -> None:
    """A name that a new Python brings fails here until it is offered, replaced or left out."""
    table = MODULES[module]
    decided = {*table.offered_here(), *table.replaced_here(), *left_out(module)}
    assert set() == public_names_of(module) - decided


@pytest.mark.parametrize("module", sorted(MODULES))
def test_no_name_is_decided_twice(module: str) -> None:
    """Offered, replaced and left out exclude each other."""
    table = MODULES[module]
    lists = [*table.offered_here(), *table.replaced_here(), *table.left_out_here()]
    assert sorted(set(lists)) == sorted(lists)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_what_is_offered_or_replaced_is_there(module: str) -> None:
    """The table promises no name that this Python's module does not have."""
    table = MODULES[module]
    promised = {*table.offered_here(), *table.replaced_here()}
    assert set() == promised - public_names_of(module)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_facade_holds_what_the_table_says(module: str) -> None:
    """Offered names are the module's own objects, replaced ones the stand-ins."""
    table, facade = MODULES[module], facades()[module]
    real = importlib.import_module(module)
    for name in table.offered_here():
        expected, found = getattr(real, name), getattr(facade, name)
        # `time.tzset` makes new constants; NaN is not equal to itself.
        assert expected is found or expected == found
    for name in table.replaced_here():
        assert STAND_INS[module][name] is getattr(facade, name)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_name_left_out_says_why(module: str) -> None:
    """Reading it raises the table's reason, under the name that was read."""
    for name, why in left_out(module).items():
        with pytest.raises(AttributeError) as caught:
            getattr(facades()[module], name)
        assert f"{module}.{name} is not available: {why}" == str(caught.value)
        assert caught.value.obj in (None, facades()[module])


@pytest.mark.parametrize("module", sorted(MODULES))
def test_no_module_is_offered(module: str) -> None:
    """What leads on from module to module is a facade."""
    facade = facades()[module]
    assert [] == [name for name in dir(facade) if isinstance(getattr(facade, name), ModuleType)]


def test_a_reason_for_the_rest_offers_nothing() -> None:
    """What a new Python brings to `os` or `sys` is left out from the first day."""
    assert "waitid" in left_out("os")
    assert "_getframe" not in left_out("sys")
    assert {"os", "sys", "inspect", "ast"} <= {name for name in MODULES if MODULES[name].rest}


def test_every_stand_in_is_in_the_table() -> None:
    """A replacement that the table does not mention would not be documented."""
    for module, stand_ins in STAND_INS.items():
        assert set(MODULES[module].replaced_here()) == set(stand_ins)


def test_a_name_can_belong_to_some_versions_only() -> None:
    """`name>=3.12` and `name<3.12` exclude each other, and one of them holds."""
    assert ["new", "always"] == [*here("new>=3.11 old<3.11 always")]


def test_a_malformed_name_is_refused() -> None:
    """A slip in the table does not silently lose a name."""
    with pytest.raises(ValueError, match="optional version"):
        [*here("name>3.12")]
