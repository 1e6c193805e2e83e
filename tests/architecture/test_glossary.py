"""The glossary is the only list of terms, and each stands in the code where it says."""

import importlib
import re
from pathlib import Path

import pytest

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
ENTRIES = re.findall(
    r"^\| (.+?) \| (.+?) \| `([\w.]+)` \|$", GLOSSARY.read_text("utf-8"), re.MULTILINE
)
FEWEST_TERMS = 55


def test_each_term_stands_once_and_in_order() -> None:
    terms = [term.lower() for term, _, _ in ENTRIES]
    assert len(terms) >= FEWEST_TERMS
    assert terms == sorted(set(terms))


@pytest.mark.parametrize("place", [place for _, _, place in ENTRIES])
def test_each_place_is_in_the_code(place: str) -> None:
    parts = place.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        break
    for name in parts[end:]:
        found = getattr(found, name)
    assert (getattr(found, "__doc__", "") or "").strip()
