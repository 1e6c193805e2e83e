"""One world in which every operation was carried out: here, or by three machines where told so.

`MODELWRIGHT_TEST_MACHINES=3 pytest -n 0 tests/contract` runs the contract's tests over three
machines behind one address.
"""

import os

import pytest
from tests.contract import of_three
from tests.contract.ids import mine
from tests.contract.in_process import waits, world

__all__ = ["mine", "waits", "world"]

if os.environ.get("MODELWRIGHT_TEST_MACHINES"):
    globals().update({name: getattr(of_three, name) for name in of_three.FIXTURES})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Has the machines' tour looked at before they are emptied."""
    if os.environ.get("MODELWRIGHT_TEST_MACHINES"):
        of_three.put_in_order(items)
