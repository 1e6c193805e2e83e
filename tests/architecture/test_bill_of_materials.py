"""The bill of materials that `make dist` makes: checked here too, where no release is built."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.bill_of_materials import ROOT, check, check_complete

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A bill made by the commands of `make dist`."""
    path = tmp_path_factory.mktemp("bill") / "bill.cdx.json"
    made = (ROOT / "Makefile").read_text("utf-8").partition("dist: ")[2].partition("\n\n")[0]
    commands = [line.strip() for line in made.splitlines() if "$(BILL)" in line]
    assert len(commands) == 2
    for command in commands:
        words = command.replace("$(BIN)", str(BIN)).replace("$(BILL)", str(path)).split()
        subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    return path.read_text("utf-8")


class TestBill:
    def test_is_cyclonedx_and_names_every_locked_package_with_version_hashes_and_licence(
        self, bill: str
    ) -> None:
        check(bill)

    @pytest.mark.parametrize("member", ["licenses", "version", "externalReferences", "all of it"])
    def test_one_that_lacks_something_is_refused(self, bill: str, member: str) -> None:
        told = json.loads(bill)
        if member == "all of it":
            del told["components"][0]
        else:
            del told["components"][0][member]
        with pytest.raises((AssertionError, KeyError)):
            check_complete(told)
