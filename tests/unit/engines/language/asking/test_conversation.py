"""What is said after a question, made into one whole question."""

import pytest

from modelwright.engines.language.conversation import compile_follow_up

from .conftest import TODAY, Open

EARLIER = "total amount by status"


@pytest.mark.parametrize(
    ("earlier", "said", "whole"),
    [
        (EARLIER, "and in 2024?", "total amount by status in 2024"),
        (f"{EARLIER} in 2024", "and 2025?", "total amount by status in 2025"),
        (f"{EARLIER} in 2024", "not 2024, 2025", "total amount by status in 2025"),
        (EARLIER, "by agent", "total amount by agent"),
        (EARLIER, "and by agent too", "total amount by status and agent"),
        (EARLIER, "only Bob", "total amount by status for Bob"),
        ("total amount for Bob", "and for Ann?", "total amount for Ann"),
        (EARLIER, "without Bob", "total amount by status excluding Bob"),
        (EARLIER, "what about the average?", "average amount by status"),
        (EARLIER, "sort that by status", "total amount by status, sorted by status"),
        (EARLIER, "as a pie chart", "total amount by status as a pie chart"),
        (EARLIER, "top 2 only", "total amount by status, top 2"),
        ("total amount in March 2024", "same for April", "total amount for April 2024"),
        (EARLIER, "how many orders are cancelled?", "how many orders are cancelled?"),
    ],
)
def test_is_made_whole(shop: Open, earlier: str, said: str, whole: str) -> None:
    assert compile_follow_up(earlier, said, shop("orders").linker, TODAY) == whole


@pytest.mark.parametrize("said", ["hmm", "thanks a lot", "why?"])
def test_what_changes_nothing_is_nothing(shop: Open, said: str) -> None:
    assert compile_follow_up(EARLIER, said, shop("orders").linker, TODAY) is None
