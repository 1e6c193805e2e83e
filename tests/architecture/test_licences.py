"""Every dependency's licence is known, allowed, and told; without a network."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def licences() -> ModuleType:
    spec = importlib.util.spec_from_file_location("licences", ROOT / "tools" / "licences.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["licences"] = module
    spec.loader.exec_module(module)
    return module


class TestLicences:
    def test_of_python_packages_are_all_allowed(self, licences: ModuleType):
        found = [one for lock in licences.LOCKS.values() for one in licences.of_python(lock)]
        assert len(found) > 150
        assert [one for one in found if not one.is_allowed()] == []

    def test_of_the_console_s_packages_are_all_allowed(self, licences: ModuleType):
        found = list(licences.of_console())
        assert len(found) > 100
        assert [one for one in found if not one.is_allowed()] == []

    @pytest.mark.parametrize(
        ("expression", "is_allowed"),
        [
            ("MIT", True),
            ("MIT AND Zlib", True),
            ("(MIT OR GPL-3.0-only)", True),
            ("GPL-3.0-only", False),
            ("MIT AND GPL-3.0-only", False),
            ("AGPL-3.0-only", False),
            ("UNKNOWN", False),
            ("", False),
        ],
    )
    def test_an_expression_is_read_as_it_is_meant(
        self, licences: ModuleType, expression: str, is_allowed: bool
    ):
        assert licences.Licence("a", "1", expression).is_allowed() is is_allowed

    def test_are_told_on_the_page(self, licences: ModuleType):
        """What another system needs besides may stand there too."""
        told = set(re.findall(r"^\| `([^`]+)` \|", licences.PAGE.read_text("utf-8"), re.MULTILINE))
        found = {
            one.package for lock in licences.LOCKS.values() for one in licences.of_python(lock)
        }
        lacking = (found | {one.package for one in licences.of_console()}) - told
        assert lacking == set(), "Run `make licences`."
