"""A key to its own table is followed both ways where a reader did not follow it."""

from modelwright.engines.language.arbiter.looking_up import looked_up
from modelwright.engines.language.arbiter.swapping import swapped
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.readers import Candidate

from .conftest import Open

NOT_FOLLOWED = """SELECT "manager_id" FROM "staff" WHERE "name" = 'Ada'"""
BILLED = (
    'SELECT "orders"."order_id" FROM "orders" JOIN "addresses" ON "orders"."billing_address_id" ='
    """ "addresses"."address_id" WHERE "addresses"."town" = 'Lyon'"""
)


def test_both_ways_are_offered(shop: Open) -> None:
    data = shop("staff")
    question = data.request("who reports to Ada")
    below, above = looked_up(
        Candidate(NOT_FOLLOWED, "rules"), check(NOT_FOLLOWED, question), data.catalog
    )
    assert sorted(map(list, data.run(below.sql).rows)) == [["Ben"], ["Cleo"]]
    assert data.run(above.sql).rows == []
    assert "manager_id" in below.interpretation


def test_nothing_is_made_of_what_counts_or_has_no_condition(shop: Open) -> None:
    data = shop("staff")
    question = data.request("who reports to Ada")
    for sql in ("SELECT count(*) FROM staff WHERE name = 'Ada'", "SELECT name FROM staff"):
        assert list(looked_up(Candidate(sql, "rules"), check(sql, question), data.catalog)) == []


def test_the_key_that_the_question_speaks_of_takes_the_place_of_the_other(shop: Open) -> None:
    data = shop("orders", "addresses")
    findings = check(BILLED, data.request("orders shipped to Lyon"))
    [other] = swapped(Candidate(BILLED, "rules"), findings)
    right = "SELECT order_id FROM orders WHERE shipping_address_id = 2"
    assert sorted(map(list, data.run(other.sql).rows)) == sorted(map(list, data.run(right).rows))
