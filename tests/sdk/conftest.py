"""One mypy for all the tests of the SDK text."""

from __future__ import annotations

import pytest

from tests.sdk.checking import Checker


@pytest.fixture(scope="session")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """A checker whose cache lasts as long as the session."""
    return Checker(tmp_path_factory.mktemp("sdk"))
