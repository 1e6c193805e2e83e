"""What is said after a question, made into one whole question."""

import pytest

from modelwright.engines.language.conversation.follow_up import compile_follow_up, points_back
from modelwright.engines.language.readers import Candidate

from .conftest import TODAY, Make, Open

EARLIER = "total amount by status"


@pytest.mark.parametrize(
    ("earlier", "said", "whole"),
    [
        (EARLIER, "and in 2024?", "total amount by status in 2024"),
        (EARLIER, "and the number of orders", "number of orders by status"),
        ("how many orders have no agent", "which ones", "which orders have no agent"),
        ("how many orders are open", "what are they", "list orders open"),
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
        ("total amount in 2024", "the year before", "total amount in 2023"),
        ("total amount in January 2024", "and the previous month", "total amount in December 2023"),
        ("orders above 500", "how many are there?", "how many orders above 500"),
        ("orders above 500", "how many per agent", "number of orders above 500 per agent"),
        (
            "orders above 500",
            "how many are there by status",
            "number of orders above 500 by status",
        ),
        ("orders above 500", "how many of them are open", "how many orders above 500 are open"),
        ("orders of Bob", "which of those are open", "orders of Bob which are open"),
        ("how many orders are from Bob", "list them", "list orders from Bob"),
        ("top 5 agents by amount", "make it 3", "top 3 agents by amount"),
        ("amount by agent", "only the three biggest", "amount by agent, top three"),
        ("number of orders by agent", "in per cent", "percentage of orders by agent"),
        ("orders by agent", "as a percentage of the total", "percentage of orders by agent"),
        ("amount by agent", "as a percentage", "share of total amount by agent"),
        (
            "how many orders did we get in May 2024",
            "and how many of those were cancelled?",
            "how many orders in May 2024 were cancelled",
        ),
        ("the largest order", "and the smallest?", "the smallest order"),
        ("total amount for Bob by status", "for all agents", "total amount by status"),
        ("total amount for Bob", "drop the filter", "total amount"),
        ("orders with a discount", "without?", "orders without a discount"),
        (EARLIER, "only orders over 500", "total amount by status for orders over 500"),
        (EARLIER, "leave out Bob", "total amount by status excluding Bob"),
        ("total amount for Bob", "no, I meant Ann", "total amount for Ann"),
        ("orders of herbivores", "and carnivores?", "orders of carnivores"),
        ("orders with amount over 100", "under 50", "orders with amount under 50"),
        ("orders with amount over 100", "only amount above 20", "orders with amount above 20"),
        (EARLIER, "with an amount over 100", "total amount by status with an amount over 100"),
        (EARLIER, "only those who paid", "total amount by status for orders who paid"),
        ("how many orders are open", "and agent Bob", "how many orders are open for Bob"),
        (EARLIER, "Bob only", "total amount by status for Bob"),
        ("total amount on March 3 2024", "what about April 4", "total amount on April 4 2024"),
        ("the largest order", "what was its status", "status of the largest order"),
        ("how many orders are open", "and how many are not?", "how many orders are not open"),
        ("how many agents ordered", "how many did not", "how many agents did not order"),
        ("average amount of orders by agent", "how many instead", "number of orders by agent"),
        ("amount by agent", "discount pct instead", "discount pct by agent"),
        ("total amount for Ann and Bob", "and Cy?", "total amount for Cy"),
        ("total amount for Ann and Bob", "also Cy", "total amount for Ann and Bob and Cy"),
        ("total amount for Ann and Bob", "Cy instead of Bob", "total amount for Ann and Cy"),
        ("total amount for Ann, Bob or Cy", "only Bob", "total amount for Bob"),
        ("total amount per status", "by agent as well", "total amount per status and agent"),
        ("total amount for Cy", "and for Ann or Bob?", "total amount for Ann or Bob"),
        ("total amount in Q2 2024", "the same quarter last year", "total amount in Q2 2023"),
        ("total amount in Q1 2024", "and the quarter before?", "total amount in Q4 2023"),
        ("total amount in May 2024", "same month a year earlier", "total amount in May 2023"),
        (EARLIER, "without cancelled orders", "total amount by status excluding cancelled"),
        (EARLIER, "just the best two", "total amount by status, best two"),
        ("orders of herbivores and carnivores", "and omnivores?", "orders of omnivores"),
        ("compare orders from New York and New Mexico", "and Ohio?", "orders from Ohio"),
        (
            "which orders were taken by more than one agent",
            "how many of those are open",
            "how many orders were taken by more than one agent and are open",
        ),
        ("total amount", "without Ann and Bob", "total amount excluding Ann and Bob"),
        ("total amount for Ann", "compared to Bob", "total amount for Ann compared to Bob"),
        ("total amount for Ann", "vs Bob?", "total amount for Ann compared to Bob"),
        ("total amount in 2025", "versus 2024", "total amount in 2025 compared to 2024"),
        (
            "total amount in 2025",
            "and how does that compare to the year before?",
            "total amount in 2025 compared to 2024",
        ),
        (EARLIER, "which one has the most?", "total amount by status, top 1"),
        (EARLIER, "which status is the lowest", "total amount by status, bottom 1"),
        (EARLIER, "and which agent has the most", "total amount by agent, top 1"),
        (
            "total amount in 2024",
            "which agent has the most",
            "total amount in 2024 by agent, top 1",
        ),
        (EARLIER, "only the top one", "total amount by status, top 1"),
        ("number of orders by agent", "who has the most", "number of orders by agent, top 1"),
        (
            "which agent has the most orders",
            "and how many does he have?",
            "number of orders by agent, top 1",
        ),
        (
            "which agent has the lowest average amount",
            "how much is it",
            "average amount by agent, bottom 1",
        ),
        ("total amount of open orders", "how many is that?", "number of open orders"),
        ("total amount for Bob", "how many orders are those", "number of orders for Bob"),
        ("total amount for Bob in 2024", "all years", "total amount for Bob"),
        ("total amount for Bob in 2024", "all agents", "total amount in 2024"),
        ("total amount for Bob by status", "for all Ann", "total amount for Ann by status"),
        (EARLIER, "and in total?", "total amount"),
        (
            "how many orders are open",
            "what is the average amount of those",
            "the average amount of orders open",
        ),
        (
            "how many orders are open",
            "how many of those are from Bob",
            "how many orders open are from Bob",
        ),
        (
            f"{EARLIER} in 2024",
            "and in the first half of 2025?",
            f"{EARLIER} in the first half of 2025",
        ),
        (EARLIER, "drop Bob", f"{EARLIER} excluding Bob"),
        (EARLIER, "ignore the paid ones", f"{EARLIER} excluding paid"),
        (EARLIER, "cheapest first", f"{EARLIER}, lowest first"),
        (EARLIER, "biggest first please", f"{EARLIER}, highest first"),
        ("orders of Bob", "newest first", "orders of Bob, newest first"),
        ("average amount by status", "the overall average", "average amount"),
        (
            "number of orders per month",
            "which month is the highest?",
            "number of orders per month, top 1",
        ),
        ("orders of Bob", "their total amount", "total amount of orders of Bob"),
        ("number of orders for Bob by status", "in total", "number of orders for Bob"),
        ("number of open orders by agent", "overall", "number of open orders"),
        ("total amount by agent in 2024", "and altogether?", "total amount in 2024"),
        ("total amount by agent and status for Bob", "in total", "total amount for Bob"),
        ("average amount for Bob", "in total", "total amount for Bob"),
        ("orders by agent in 2024", "altogether", "number of orders in 2024"),
        ("amount by agent in 2024", "in total", "total amount in 2024"),
        ("average amount by agent in 2024", "altogether", "total amount in 2024"),
        ("average amount by status", "overall", "average amount"),
        ("average amount of open orders", "overall", "average amount orders"),
        (
            "total amount of open orders by agent",
            "the overall total",
            "total amount of open orders",
        ),
        ("average amount by agent", "only the highest one", "average amount by agent, top 1"),
        (
            "average discount pct by agent",
            "the lowest one",
            "average discount pct by agent, bottom 1",
        ),
    ],
)
def test_is_made_whole(shop: Open, earlier: str, said: str, whole: str) -> None:
    assert compile_follow_up(earlier, said, shop("orders").linker, TODAY) == whole


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        ("orders of herbivores and total amount", "and carnivores?"),
        ("total amount", "the year before"),
        ("total amount from 2020 to 2024", "the year before"),
        ("average amount by status", "how many of them are open"),
        ("average amount by status", "in per cent"),
        ("total amount for Bob in 2024", "drop the filter"),
        ("amount of cats and amount of dogs", "and birds?"),
        (EARLIER, "what was its status"),
        ("total amount for Bob", "drop Bob"),
        ("average amount by status", "the overall total"),
        (EARLIER, "and how many did not"),
        (EARLIER, "by status"),
        ("total amount for Ann", "Bob with hats"),
        ("total amount in 2024", "2025 for hats"),
        ("amount of Ann by status and of Bob by month", "and Cy?"),
        ("total amount", "compared to Bob"),
        ("total amount for Ann and Bob", "compared to Cy"),
        ("total amount for Ann", "compared to 2024"),
        ("total amount for Ann", "vs paid"),
        ("orders of Bob", "which status has the most"),
        ("total amount", "which one is the highest"),
        ("total amount by status and by agent", "which one is the highest"),
        ("top 3 agents by amount", "which one is the lowest"),
        ("which agent has the most orders", "how many items did he have"),
        ("average amount by status", "how many is that"),
        ("total amount for Bob", "in total"),
        ("highest amount by agent", "in total"),
        ("how many orders are open", "altogether"),
        ("top 3 agents by total amount", "in total"),
        ("which agent has the most discount pct", "how much is it"),
        ("average amount by agent", "which one is the oldest"),
        ("average amount by agent", "which agent has the longest?"),
    ],
)
def test_what_has_no_one_place_is_refused(shop: Open, earlier: str, said: str) -> None:
    assert compile_follow_up(earlier, said, shop("orders").linker, TODAY) is None


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("", "maximum discount pct by agent, top 1"),
        ("order by avg(discount_pct) desc", "average discount pct by agent, top 1"),
        ("order by max(discount_pct) desc", "maximum discount pct by agent, top 1"),
        ("order by discount_pct desc", "maximum discount pct by agent, top 1"),
        ("order by figure desc", "average discount pct by agent, top 1"),
    ],
)
def test_the_figure_at_an_end_is_the_one_that_ranked(shop: Open, sql: str, whole: str) -> None:
    answered = f"select agent, avg(discount_pct) as figure from orders group by 1 {sql} limit 1"
    earlier, linker = "which agent has the highest discount pct", shop("orders").linker
    given = answered if sql else ""
    assert compile_follow_up(earlier, "how high is it?", linker, TODAY, sql=given) == whole


def test_the_lowest_of_what_does_not_add_up_is_the_minimum(shop: Open) -> None:
    earlier, linker = "which agent has the lowest discount pct", shop("orders").linker
    whole = compile_follow_up(earlier, "how much is it?", linker, TODAY)
    assert whole == "bottom 1 agent by minimum discount pct"


@pytest.mark.parametrize(
    ("said", "end"),
    [("which has the longest?", "top 1"), ("and which one is the shortest?", "bottom 1"),
     ("the longest one", "top 1"), ("which is the highest?", "top 1")],
)  # fmt: skip
def test_an_end_is_named_by_what_the_amount_is_of(make: Make, said: str, end: str) -> None:
    data = make({
        "trails": """select i as trail_id, ['A', 'B'][1 + i % 2] as valley,
            (3 + i % 40)::double as length_km from range(1, 61) t(i)"""
    })  # fmt: skip
    whole = compile_follow_up("average length by valley", said, data.linker, TODAY)
    assert whole == f"average length by valley, {end}"


@pytest.mark.parametrize("said", ["hmm", "thanks a lot", "why?"])
def test_what_changes_nothing_is_nothing(shop: Open, said: str) -> None:
    assert compile_follow_up(EARLIER, said, shop("orders").linker, TODAY) is None


def test_a_new_question_stands_alone_where_the_earlier_was_not_answered(shop: Open) -> None:
    linker, said = shop("orders").linker, "ok then total amount by status"
    whole = compile_follow_up("what colour is it", said, linker, TODAY, is_answered=False)
    assert whole == "total amount by status"


@pytest.mark.parametrize("said", ["thanks a lot then", "total amount of those", "how odd it is"])
def test_what_does_not_stand_alone_is_no_new_question(shop: Open, said: str) -> None:
    linker = shop("orders").linker
    assert compile_follow_up("what is it", said, linker, TODAY, is_answered=False) is None


@pytest.mark.parametrize("said", ["just Rowing", "only the Rowing"])
def test_a_value_that_ends_in_ing_is_no_clause(shop: Open, said: str) -> None:
    whole = compile_follow_up("total fee of courses", said, shop("courses").linker, TODAY)
    assert whole == "total fee of courses for Rowing"


def test_a_unit_of_time_behind_per_is_no_value(shop: Open) -> None:
    linker = shop("visits").linker  # whose places are called north, south and day
    assert compile_follow_up("total fee by bags", "per day too", linker, TODAY) == (
        "total fee by bags and day"
    )


@pytest.mark.parametrize("said", ["without visits", "without fees", "excluding bags"])
def test_what_is_denied_is_not_turned_round(shop: Open, said: str) -> None:
    whole = compile_follow_up("total fee by place", said, shop("visits").linker, TODAY)
    assert whole is None or "without" in whole or "excluding" in whole


@pytest.mark.parametrize(
    ("table", "earlier", "said", "whole"),
    [
        ("orders", "orders by status", "without the ones that are not gifts",
         "orders by status for orders that are gifts"),
        ("visits", "total fee by place", "excluding the ones with fewer than 3 bags",
         "total fee by place with at least 3 bags"),
        ("orders", "total amount by agent", "why not without the cancelled ones",
         "total amount by agent excluding cancelled"),
    ],
)  # fmt: skip
def test_what_is_left_out_may_be_told_by_what_stays(
    shop: Open, table: str, earlier: str, said: str, whole: str
) -> None:
    assert compile_follow_up(earlier, said, shop(table).linker, TODAY) == whole


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("orders", "without the ones not paid"),
        ("orders", "exclude those that aren't paid"),
        ("lots", "without the ones with less than 3000 hammer_price"),
    ],
)
def test_two_denials_are_never_one(shop: Open, table: str, said: str) -> None:
    """Nor is a test turned round where some rows hold nothing of its column."""
    whole = compile_follow_up(f"number of {table}", said, shop(table).linker, TODAY)
    assert whole is None or said in whole


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how many are these", "these"),
        ("how many of those are paid", "those"),
        ("which of them were cancelled?", "them"),
        ("orders of Bob and how many of them are paid", ""),
        ("number of those with an amount over 50", ""),
        ("how many orders do we get these days", ""),
    ],
)
def test_words_that_point_at_nothing_before_are_found(shop: Open, question: str, word: str) -> None:
    assert points_back(question, shop("orders").linker, TODAY) == word


@pytest.mark.parametrize(("way", "first"), [("", "DESC"), (" ascending", "ASC")])
@pytest.mark.parametrize("tables", [("orders",), ("orders", "customers")])
def test_groups_are_sorted_by_a_figure_from_the_largest_on(
    shop: Open, tables: tuple[str, ...], way: str, first: str
) -> None:
    data = shop(*tables)
    question = f"number of orders by agent, sorted by count{way}"
    for reader in (data.rules(), data.grammar()):
        (one, *_) = reader.read(data.request(question))
        assert isinstance(one, Candidate)
        assert f"COUNT(*) {first}" in one.sql.upper()


@pytest.mark.parametrize(
    ("earlier", "said", "whole"),
    [
        (
            "top 2 pick up yards by number of hauls",
            "same for set down",
            "top 2 setdown yards by number of hauls",
        ),
        ("hauls by set-down yard", "and pick-up?", "hauls by pickup yard"),
    ],
)
def test_the_other_of_two_keys(make: Make, earlier: str, said: str, whole: str) -> None:
    hauls = """select i as haul_id, 1 + i % 5 as pickup_yard_id, 1 + i * 3 % 5 as setdown_yard_id
        from range(1, 61) t(i)"""
    yards = "select i as yard_id, 'Yard ' || i as yard_name from range(1, 6) t(i)"
    data = make({"hauls": hauls, "yards": yards})
    assert compile_follow_up(earlier, said, data.linker, TODAY) == whole
