"""A rival of a column takes its place wherever the SQL names it, also in the names of results."""

import pytest

from modelwright.engines.language.arbiter.swapping import (
    added_up,
    of_groups,
    swapped,
    turned,
)
from modelwright.engines.language.checks.findings import Code, doubt, fault
from modelwright.engines.language.readers import Candidate


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (
            'SELECT MAX("bill_length_mm") AS "max_bill_length_mm" FROM "penguins"',
            'SELECT MAX("bill_depth_mm") AS "max_bill_depth_mm" FROM "penguins"',
        ),
        (
            (
                'SELECT "sex", AVG("bill_length_mm") AS "avg_bill_length_mm" FROM "penguins"'
                ' GROUP BY "sex" ORDER BY "avg_bill_length_mm" DESC'
            ),
            (
                'SELECT "sex", AVG("bill_depth_mm") AS "avg_bill_depth_mm" FROM "penguins"'
                ' GROUP BY "sex" ORDER BY "avg_bill_depth_mm" DESC'
            ),
        ),
        (
            'SELECT COUNT(*) AS "count" FROM "penguins" WHERE "bill_length_mm" > 40',
            'SELECT COUNT(*) AS "count" FROM "penguins" WHERE "bill_depth_mm" > 40',
        ),
    ],
)
def test_results_are_named_after_the_column_that_they_are_of(sql: str, told: str) -> None:
    candidate = Candidate(sql=sql, reader="rules", interpretation="The bill length mm.")
    finding = fault(Code.AMBIGUOUS_NAME, "", "bill_length_mm", "bill_depth_mm")
    [other] = swapped(candidate, [finding])
    assert other.sql.replace(" NULLS FIRST", "").replace(" NULLS LAST", "") == told
    assert other.interpretation == "The bill depth mm."


def test_what_is_listed_with_its_rival_stays() -> None:
    sql = (
        'SELECT "trips"."origin_id", "trips"."destination_id" FROM "trips"'
        ' JOIN "stations" ON "trips"."origin_id" = "stations"."station_id"'
    )
    [other] = swapped(
        Candidate(sql=sql, reader="rules"),
        [fault(Code.WRONG_KEY, "", "origin_id", "destination_id")],
    )
    assert other.sql == sql.replace('ON "trips"."origin_id"', 'ON "trips"."destination_id"')


@pytest.mark.parametrize(
    ("question", "sql", "told"),
    [
        (
            "worst day of the index",
            "SELECT day FROM prices ORDER BY change DESC LIMIT 1",
            ["SELECT day FROM prices ORDER BY change ASC LIMIT 1"],
        ),
        (
            "month with the biggest loss",
            "SELECT month FROM prices ORDER BY change LIMIT 1",
            ["SELECT month FROM prices ORDER BY change DESC LIMIT 1"],
        ),
        ("the highest change", "SELECT day FROM prices ORDER BY change DESC LIMIT 1", []),
        ("worst days first", "SELECT day FROM prices ORDER BY change", []),
        ("worst day", "SELECT nothing (", []),
    ],
)
def test_an_order_that_words_leave_open_is_turned(question: str, sql: str, told: list[str]) -> None:
    found = list(turned(Candidate(sql, "rules", "The day."), question))
    plain = [one.sql.replace(" NULLS FIRST", "").replace(" NULLS LAST", "") for one in found]
    assert plain == told
    assert all(one.interpretation == "The day. The other way round." for one in found)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (
            'SELECT DISTINCT "shop" FROM "days" WHERE "profit" < 0',
            'SELECT "shop" FROM "days" GROUP BY "shop" HAVING SUM("profit") < 0',
        ),
        (
            'SELECT DISTINCT "shop" FROM "days" WHERE "profit" > 0 AND "city" = \'Oslo\'',
            (
                'SELECT "shop" FROM "days" WHERE "city" = \'Oslo\''
                ' GROUP BY "shop" HAVING SUM("profit") > 0'
            ),
        ),
    ],
)
def test_groups_are_told_by_the_sign_of_their_sum(sql: str, told: str) -> None:
    candidate = Candidate(sql, "rules", "The shop of days where profit is less than 0.")
    [other] = of_groups(candidate, [fault(Code.SIGN_OF_ROWS, "")])
    assert other.sql == told
    assert other.interpretation == "The shop of days where the total profit is less than 0."


def test_a_sign_that_is_tested_in_a_join_is_left_alone() -> None:
    sql = "SELECT a.shop FROM days AS a JOIN days AS b ON a.day = b.day AND a.profit < 0"
    assert not list(of_groups(Candidate(sql, "rules"), [fault(Code.SIGN_OF_ROWS, "")]))


def test_groups_of_other_findings_are_left_alone() -> None:
    candidate = Candidate("SELECT nothing (", "rules")
    assert not list(of_groups(candidate, [fault(Code.OTHER_ROWS, "")]))


def test_rows_that_are_amounts_are_added_up_in_the_place_of_their_number() -> None:
    sql = (
        'SELECT "t"."place", COUNT(*) AS "n" FROM "tips" AS "t" GROUP BY "t"."place"'
        " ORDER BY COUNT(*) DESC"
    )
    candidate = Candidate(sql=sql, reader="rules")
    [other] = added_up(candidate, [doubt(Code.ROWS_OR_AMOUNT, "", "tips", "tip_eur")])
    assert other.sql.replace(" NULLS FIRST", "").replace(" NULLS LAST", "") == (
        'SELECT "t"."place", SUM("t"."tip_eur") AS "sum_tip_eur" FROM "tips" AS "t"'
        ' GROUP BY "t"."place" ORDER BY SUM("t"."tip_eur") DESC'
    )


def test_rows_of_a_table_that_is_read_twice_are_not_added_up() -> None:
    sql = "SELECT COUNT(*) FROM tips AS a JOIN tips AS b ON a.place = b.place GROUP BY a.place"
    finding = doubt(Code.ROWS_OR_AMOUNT, "", "tips", "tip_eur")
    assert list(added_up(Candidate(sql=sql, reader="rules"), [finding])) == []
