"""A refusal quotes little of a long question, and a short one whole."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Refused
from modelwright.engines.language.wording import LONGEST_QUOTED, quoting_little

from .conftest import Open
from .test_arbiter import decide

LONGEST_REFUSAL = 700


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Nothing was found.", "Nothing was found."),
        ("“north” was not used.", "“north” was not used."),
        ("What is “a”, “b” and “c”?", "What is “a”, “b” and “c”?"),
        (f"“{'x' * 61}” is long.", f"“{'x' * 59}…” is long."),
        (f'"{"y" * 5000}" is.', f'"{"y" * 59}…" is.'),
        (
            "Not known: " + ", ".join(f'"{one}"' for one in "abcdefghijk") + ".",
            'Not known: "a", "b", "c", "d", "e", "f", "g", "h" and 3 more.',
        ),
    ],
)
def test_quotations_are_shortened(sentence: str, told: str) -> None:
    assert quoting_little(sentence) == told


@pytest.mark.parametrize(
    "question",
    [
        f"total {'x' * 1900} by status",
        " ".join(f"zq{at}x" for at in range(300)),
        f"orders that {'z' * 1900}",
        f"how many orders with {'q' * 1900} and {'w' * 40}",
    ],
    ids=["long word", "many words", "long verb", "long thing"],
)
def test_refusals_of_long_questions_are_short(shop: Open, question: str) -> None:
    decision = decide(shop("orders"), question)
    assert isinstance(decision, Refused)
    assert len(decision.why) <= LONGEST_REFUSAL
    assert "x" * (LONGEST_QUOTED + 1) not in decision.why
