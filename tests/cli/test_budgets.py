"""Each budget of a run is an option under its own name."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from codemode.cli.budgets import budget_options, configure
from codemode.cli.refusal import Refusal
from codemode.process import ProcessRuntimeConfig

OF_MANY_RUNS = {"guests_per_template", "max_concurrent_runs", "spare_guests"}


@click.command()
@budget_options
def show(**budgets: int | None) -> None:
    """Print what was given."""
    click.echo(repr({name: value for name, value in budgets.items() if value is not None}))


def test_every_budget_of_one_run_has_an_option_that_says_what_it_is() -> None:
    """A budget added to the configuration is an option without another line."""
    described = {
        option.name: option.help for option in show.params if isinstance(option, click.Option)
    }

    assert set(ProcessRuntimeConfig.model_fields) - OF_MANY_RUNS == set(described)
    assert all(help_ and not help_.startswith(" Default") for help_ in described.values())


@pytest.mark.parametrize(
    "given,size",
    [("1048576", 2**20), ("1024K", 2**20), ("1m", 2**20), ("1MiB", 2**20), ("2GB", 2**31)],
)
def test_a_size_may_have_a_unit(given: str, size: int) -> None:
    """Units are powers of 1024, written short or long."""
    done = CliRunner().invoke(show, ["--memory-bytes", given])

    assert f"{{'memory_bytes': {size}}}\n" == done.output


@pytest.mark.parametrize(
    "arguments,told",
    [
        (["--memory-bytes", "much"], "'--memory-bytes': 'much' is no size; write bytes, or a"),
        (["--compute-ms", "1.5"], "'--compute-ms': '1.5' is not a valid integer"),
        (["--compute-sm", "1"], "No such option '--compute-sm'. Did you mean"),
    ],
)
def test_what_is_no_number_is_a_usage_error(arguments: list[str], told: str) -> None:
    """The option is named, and what it takes."""
    done = CliRunner().invoke(show, arguments)

    assert 2 == done.exit_code
    assert told in done.output


@pytest.mark.parametrize(
    "budgets,told",
    [
        ({"compute_ms": -5}, "--compute-ms -5: Input should be greater than 0"),
        ({"compute_ms": 0}, "--compute-ms 0: Input should be greater than 0"),
        ({"max_wall_ms": 10**30}, f"--max-wall-ms {10**30}: Input should be less than or equal"),
        ({"memory_bytes": 1}, "--memory-bytes 1: Input should be greater than or equal"),
        ({"compute_ms": 0, "max_calls": 0}, "--compute-ms 0: Input should be greater than 0; "),
    ],
)
def test_a_budget_out_of_range_is_refused_with_the_range(
    budgets: dict[str, int | None], told: str
) -> None:
    """Negative, nothing and absurd ones, and all that are wrong at once."""
    with pytest.raises(Refusal) as refused:
        configure(budgets, ProcessRuntimeConfig())

    assert told in refused.value.message


def test_a_budget_that_is_not_given_is_that_of_the_configuration() -> None:
    """Only what was said is changed, and one run needs no spare guest."""
    file = ProcessRuntimeConfig(compute_ms=7, max_calls=9, spare_guests=3)
    config = configure({"compute_ms": 5, "max_calls": None}, file)

    assert ProcessRuntimeConfig(compute_ms=5, max_calls=9, spare_guests=0) == config


def test_confinement_is_asked_for_by_the_name_of_a_profile() -> None:
    """As a word, and no other than those there are."""
    config = configure({"confinement": "strict"}, ProcessRuntimeConfig())

    assert config.confinement.layers("off", "best-effort") == ()
    assert 2 == CliRunner().invoke(show, ["--confinement", "lax"]).exit_code
