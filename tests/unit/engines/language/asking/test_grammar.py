"""Questions that the grammar reads, and those that it leaves alone since a word has no place."""

import pytest

from modelwright.engines.language.arbiter.rereading import reread
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.checks.findings import Code, fault
from modelwright.engines.language.readers import Candidate, Cannot

from .conftest import Open

READ = [
    ("how many orders", "SELECT count(*) FROM orders"),
    ("total amount by status", "SELECT status, sum(amount) FROM orders GROUP BY 1"),
    ("standard deviation of amount", "SELECT stddev(amount) FROM orders"),
    ("median amount for each agent", "SELECT agent, median(amount) FROM orders GROUP BY 1"),
    ("how many different agents", "SELECT count(DISTINCT agent) FROM orders"),
    ("orders with amount over 150", "SELECT * FROM orders WHERE amount > 150"),
    ("how many gift orders", "SELECT count(*) FROM orders WHERE gift = 'yes'"),
    ("how many orders without an agent", "SELECT count(*) FROM orders WHERE agent IS NULL"),
    ("number of orders not cancelled", "SELECT count(*) FROM orders WHERE status <> 'cancelled'"),
    ("top 2 status by total amount",
     "SELECT status, sum(amount) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 2"),
    ("percentage of orders that are paid",
     "SELECT 100.0 * count(*) FILTER (WHERE status = 'paid') / count(*) FROM orders"),
    ("number of orders per month",
     "SELECT date_trunc('month', order_date), count(*) FROM orders GROUP BY 1"),
    ("total amount with discount of 5", "SELECT sum(amount) FROM orders WHERE discount_pct = 5"),
    ("average amount for Ann and Bob",
     "SELECT agent, avg(amount) FROM orders WHERE agent IN ('Ann', 'Bob') GROUP BY 1"),
    ("average amount for Ann or Bob",
     "SELECT avg(amount) FROM orders WHERE agent IN ('Ann', 'Bob')"),
    ("total amount for Ann and Bob",
     "SELECT sum(amount) FROM orders WHERE agent IN ('Ann', 'Bob')"),
    ("total amount sold by Ann", "SELECT sum(amount) FROM orders WHERE agent = 'Ann'"),
    ("status with more than 79 orders",
     "SELECT status FROM orders GROUP BY 1 HAVING count(*) > 79"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), READ, ids=[one for one, _ in READ])
def test_reads_a_question(shop: Open, question: str, sql: str) -> None:
    data = shop("orders")
    (read, *_) = data.grammar().read(data.request(question))
    assert isinstance(read, Candidate), read
    assert same_result(data.run(read.sql), data.run(sql)), read.sql
    assert read.interpretation.endswith(".")


@pytest.mark.parametrize(
    ("tables", "question", "right"),
    [
        ("orders", "orders in order of amount", "select * from orders order by amount"),
        ("orders", "all rows sorted by amount descending",
         "select * from orders order by amount desc"),
        ("orders", "open orders sorted by amount",
         "select * from orders where status = 'open' order by amount"),
        ("pumps", "pumps in order of litres", "select pump from pumps order by litres"),
        ("pumps", "towns in order of average litres",
         "select town, avg(litres) from pumps group by 1 order by 2 desc"),
        ("pumps", "towns sorted by total litres ascending",
         "select town, sum(litres) from pumps group by 1 order by 2"),
        ("pumps", "list the towns in order", "select distinct town from pumps order by 1"),
        ("pumps", "towns in alphabetical order", "select distinct town from pumps order by 1"),
        ("pumps", "towns sorted", "select distinct town from pumps order by 1"),
        ("rides", "show length in order", "select length from rides order by 1"),
    ],
)  # fmt: skip
def test_sorts_by_what_is_named_or_shown(
    shop: Open, tables: str, question: str, right: str
) -> None:
    data = shop(tables)
    (read, *_) = data.grammar().read(data.request(question))
    assert isinstance(read, Candidate), read
    assert "ORDER BY" in read.sql
    assert same_result(data.run(read.sql), data.run(right)), read.sql


@pytest.mark.parametrize("question", ["orders in order", "sorted by amount", "orders sorted"])
def test_sorts_by_nothing_that_is_not_named(shop: Open, question: str) -> None:
    data = shop("orders")
    (read,) = data.grammar().read(data.request(question))
    assert isinstance(read, Cannot), read


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("number of women", "sex = 'F'"),
        ("how many men", "sex = 'M'"),
        ("number of open", "entry = 'open'"),
    ],
)
def test_words_that_stand_for_a_value(shop: Open, question: str, where: str) -> None:
    data = shop("runners")
    (read, *_) = data.grammar().read(data.request(question))
    assert isinstance(read, Candidate), read
    right = data.run(f"SELECT count(*) FROM runners WHERE {where}")
    assert same_result(data.run(read.sql), right), read.sql


def test_what_was_never_done_is_not_denied_of_a_value(shop: Open) -> None:
    data = shop("athletes")
    (read,) = data.grammar().read(data.request("athletes that never worked with Ann"))
    assert isinstance(read, Cannot)


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("how many makers in 1960 or 1970", "founded_year in (1960, 1970)"),
        ("how many makers in 1960, 1965 and 1970", "founded_year in (1960, 1965, 1970)"),
        ("how many makers since 1960 until 1970", "founded_year between 1960 and 1970"),
    ],
)
def test_several_years_are_any_of_them(shop: Open, question: str, where: str) -> None:
    data = shop("makers")
    (read, *_) = data.grammar().read(data.request(question))
    assert isinstance(read, Candidate), read
    right = data.run(f"SELECT count(*) FROM makers WHERE {where}")
    assert same_result(data.run(read.sql), right), read.sql


def test_two_months_that_exclude_each_other_are_left_alone(shop: Open) -> None:
    data = shop("orders")
    request = data.request("number of orders in January 2024 and in March 2024")
    (read,) = data.grammar().read(request)
    assert isinstance(read, Cannot)


@pytest.mark.parametrize("said", ["excluding", "without"])
def test_rows_have_none_of_themselves(shop: Open, said: str) -> None:
    data = shop("orders")
    request = data.request(f"average amount by status {said} orders under 30")
    (read,) = data.grammar().read(request)
    assert isinstance(read, Cannot)


@pytest.mark.parametrize(
    "question",
    ["orders that went well", "amount of happiness", "which orders beat the others", "", "top 5"],
)
def test_leaves_alone_what_has_a_word_without_place(shop: Open, question: str) -> None:
    data = shop("orders")
    (read,) = data.grammar().read(data.request(question))
    assert isinstance(read, Cannot)
    assert read.not_understood


class TestSeveralTables:
    def test_joins_only_towards_one_row(self, shop: Open) -> None:
        data = shop("orders", "customers")
        (read, *_) = data.grammar().read(data.request("total amount by city"))
        sql = (
            "SELECT city, sum(amount) FROM orders JOIN customers USING (customer_id) GROUP BY city"
        )
        assert isinstance(read, Candidate)
        assert same_result(data.run(read.sql), data.run(sql))

    def test_rows_that_nothing_points_to(self, shop: Open) -> None:
        data = shop("customers", "orders")
        (read, *_) = data.grammar().read(data.request("customers without orders"))
        sql = "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)"
        assert isinstance(read, Candidate)
        assert same_result(data.run(read.sql), data.run(sql))

    def test_two_keys_to_one_table_are_not_guessed(self, shop: Open) -> None:
        data = shop("orders", "addresses")
        (read, *_) = data.grammar().read(data.request("number of orders by town"))
        assert isinstance(read, Cannot)

    @pytest.mark.parametrize(
        ("tables", "question", "right"),
        [
            ("customers orders", "customers without orders in 2024",
             ("select name from customers where customer_id not in"
             " (select customer_id from orders where year(order_date) = 2024)")),
            ("guests visits", "guests with no visits",
             "select name from guests where guest_id not in (select guest_id from visits)"),
            ("renters rentals", "how many rentals", "select count(*) from rentals"),
            ("renters rentals", "renters without rentals",
             "select name from renters where renter_id not in (select renter_id from rentals)"),
            ("staff orders", "staff without a manager",
             "select name from staff where manager_id is null"),
            ("customers orders", "average number of orders per customer",
             "select count(*) / count(distinct customer_id) from orders"),
            ("guests visits", "average fee per visit by name",
             "select name, avg(fee) from visits join guests using (guest_id) group by 1"),
            ("customers orders", "top 3 customers by orders",
             ("select name, count(*) from orders join customers using (customer_id) group by 1"
             " order by 2 desc, 1 limit 3")),
            ("customers orders", "top 3 customers by amount",
             ("select name, sum(amount) from orders join customers using (customer_id) group by 1"
             " order by 2 desc, 1 limit 3")),
            ("orders items", "orders with a pen",
             ("select order_id from orders where order_id in"
             " (select order_id from items where product = 'pen')")),
            ("orders items", "how many orders without a pen",
             ("select count(*) from orders where order_id not in"
             " (select order_id from items where product = 'pen')")),
            ("customers orders", "how many customers have open orders",
             "select count(distinct customer_id) from orders where status = 'open'"),
            ("orders addresses", "number of orders by shipping town",
             ("select town, count(*) from orders join addresses"
             " on shipping_address_id = address_id group by 1")),
            ("trips stations", "how many trips departed from Oslo",
             ("select count(*) from trips join stations on origin_id = station_id"
             " where place = 'Oslo'")),
        ],
    )  # fmt: skip
    def test_reads_what_several_tables_tell(
        self, shop: Open, tables: str, question: str, right: str
    ) -> None:
        data = shop(*tables.split())
        (read, *_) = data.grammar().read(data.request(question))
        assert isinstance(read, Candidate), read
        assert same_result(data.run(read.sql), data.run(right)), read.sql


def test_a_word_that_tells_a_key_is_no_date(shop: Open) -> None:
    data = shop("stays", "nurses")
    (read, *_) = data.grammar().read(data.request("number of stays by admitting nurse"))
    right = (
        "select nurse, count(*) from stays join nurses on admitting_nurse_id = nurse_id group by 1"
    )
    assert isinstance(read, Candidate)
    assert same_result(data.run(read.sql), data.run(right)), read.sql


def test_things_that_a_join_tells_twice_are_counted_once(shop: Open) -> None:
    data = shop("writers", "writings", "novels")
    sql = (
        "SELECT writers.writer, count(*) FROM writers JOIN writings USING (writer_id)"
        " JOIN novels ON writings.novel_id = novels.novel_id GROUP BY 1"
    )
    finding = fault(Code.ROWS_OF_THINGS, "", "novels", "novel_id", "writings")
    [made] = reread(Candidate(sql, "rules", ""), [finding], data.catalog)
    right = (
        "select writer, count(distinct novel_id) from writers join writings using (writer_id)"
        " group by 1"
    )
    assert same_result(data.run(made.sql), data.run(right)), made.sql
