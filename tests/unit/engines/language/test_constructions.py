"""Constructions find what a sentence says, whatever the forms of its words."""

import re

import pytest

from modelwright.engines.language.rules.intents.constructions import compiled, forms, marked

CLASSES = {"BUYER": ("customer", "client"), "OFTEN": ("again-and-again", "often!")}


@pytest.mark.parametrize(
    ("construction", "said", "is_said"),
    [
        ("sell together", "what is sold together", True),
        ("sell together", "what is sold in one shop together", False),
        ("sell .. together", "what is sold in one shop together", True),
        ("BUYER return", "our clients returned", True),
        ("segment BUYER", "segment all customers", False),
        ("segment BUYER", "segment our customers", True),
        ("OFTEN", "it comes again and again", True),
        ("often!", "how oftens", False),
        ("^rank! BUYER", "rank the clients", True),
        ("^rank! BUYER", "please rank the clients", False),
        ("together$", "they go together", True),
        ("together$", "together they go", False),
        ("in NUM BUYER? day", "in 3 days", True),
        ("not fit", "which rows don't fit", True),
        ("NUM percent", "90 % sure", True),
        ("NUM percent", "90% sure", True),
        ("optimise", "optimize it", True),
        ("maximise COLUMN", "maximise the yield_pct", True),
        ("maximise COLUMN", "maximise yield", False),
    ],
)
def test_a_construction(construction: str, said: str, is_said: bool):
    assert compiled([construction], CLASSES).found(marked(said, ["yield_pct"])) == is_said


@pytest.mark.parametrize(
    ("said", "means_more"),
    [("predict the cluster id", False), ("predict the cluster size", True), ("cluster", False)],
)
def test_words_of_one_columns_name_mean_that_column(said: str, means_more: bool):
    found = compiled(["cluster size", "cluster"], {})
    names = [frozenset({"cluster", "id"}), frozenset({"size"})]
    assert found.means_more_than(marked(said), names) == means_more


@pytest.mark.parametrize(
    "said",
    [
        ["sell together", "NUM percent", "BUYER? ask", "^rank! BUYER"],
        ["e-mail/letter .. OFTEN", "maximise COLUMN", "!not ask BUYER"],
        ["COLUMN? NUM", "OFTEN sell", "ask/NUM client"],
    ],
)
@pytest.mark.parametrize(
    "sentence",
    ["rank the clients", "90% sold together", "an e-mail comes again and again, letters often",
     "maximise yield_pct by asking our customers", "not asked customers sell often", "3 clients"],
)  # fmt: skip
def test_ways_whose_words_are_not_said_change_nothing(said: list[str], sentence: str):
    """What is found is what all ways together would find, at the same places."""
    found, text = compiled(said, CLASSES), marked(sentence, ["yield_pct"])
    every = re.compile("|".join(way.expression for way in found.ways))
    names = [frozenset(one.group().split()) for one in every.finditer(text)]
    assert found.found(text) == bool(names)
    assert not found.means_more_than(text, names)
    assert all(found.means_more_than(text, [one for one in names if one != name]) for name in names)


def test_forms_are_those_of_a_verb_or_noun():
    assert {"plans", "planned", "planning"} <= forms("plan")
    assert {"buys", "bought", "buying"} <= forms("buy")
    assert {"categories"} <= forms("category")
    assert {"photos"} <= forms("photo")
    assert {"optimising", "optimizing", "optimized"} <= forms("optimise")
    assert "outlying" not in forms("out")
