"""Questions in words on small tables: the SQL runs and gives what was asked."""

from datetime import date, datetime
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import counted
from tests.questions.question_sets import same as alike
from tests.questions.rows import insert

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader
from modelwright.engines.language.rules.columns.schema import TableFacts, find_keys, join_path
from modelwright.engines.language.rules.text.numbers import compared_numbers

TODAY = date(2024, 5, 20)
# ruff: noqa: DTZ001 - tables hold naive times
ORDERS: list[tuple[Any, ...]] = [
    (1, "Ann", "North", 120.0, 3, "Yes", datetime(2024, 1, 5, 8)),
    (2, "Bob", "South", 80.0, 1, "No", datetime(2024, 2, 7, 9)),
    (3, "Cid", "North", 200.0, 5, "No", datetime(2024, 3, 2, 18)),
    (4, "Dee", "West", 50.0, 2, "Yes", datetime(2024, 3, 9, 20)),
    (5, "Eva", "South", 90.0, 4, "No", datetime(2024, 4, 11, 8)),
    (6, "Fay", None, 60.0, 1, "Yes", datetime(2024, 5, 1, 12)),
]
NAMES = ("order_id", "customer", "region", "amount", "quantity", "returned", "ordered_at")
KINDS = ("integer", "string", "string", "float", "integer", "string", "date")


def facts(
    names: tuple[str, ...], kinds: tuple[Any, ...], rows: list[Any]
) -> tuple[ColumnFacts, ...]:
    return tuple(
        counted(name, kind, [row[at] for row in rows])
        for at, (name, kind) in enumerate(zip(names, kinds, strict=True))
    )


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    store = duckdb.connect(config={"threads": 1})
    store.execute(
        "create table orders (order_id bigint, customer varchar, region varchar, amount double,"
        " quantity bigint, returned varchar, ordered_at timestamp)"
    )
    insert(store, "orders", ORDERS)
    return store


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader([TableFacts("orders", facts(NAMES, KINDS, ORDERS))])


class TestAnswers:
    @pytest.mark.parametrize(
        ("question", "rows"),
        [
            ("How many orders are there?", [(6,)]),
            ("What is the average amount?", [(100.0,)]),
            ("Total amount of returned orders", [(230.0,)]),
            ("How many orders were not returned?", [(3,)]),
            ("How many orders have an amount of at least 90?", [(3,)]),
            ("How many orders have a quantity between 2 and 4?", [(3,)]),
            ("How many orders came from the North or West?", [(3,)]),
            ("How many orders were there in March?", [(2,)]),
            ("How many orders were there last month?", [(1,)]),
            ("How many orders have a missing region?", [(1,)]),
            ("How many orders where the region is not missing?", [(5,)]),
            ("How many orders do not have a missing region?", [(5,)]),
            ("How many orders whose region isn't blank?", [(5,)]),
            ("What percentage of orders was returned?", [(50.0,)]),
            ("What is the highest amount?", [(200.0,)]),
            ("Which region has the highest average amount?", [("North",)]),
            ("How many different regions are there?", [(3,)]),
            ("How many orders have a higher amount than 90?", [(2,)]),
            ("How many orders have a customer name that contains 'a'?", [(3,)]),
            ("averge amuont of orders from the Nort", [(160.0,)]),
        ],
    )
    def test_one_number_or_name(
        self, store: duckdb.DuckDBPyConnection, reader: Reader, question: str, rows: list[Any]
    ):
        answer = reader.read(question, TODAY)
        assert isinstance(answer, Answerable), answer
        told = store.execute(answer.sql).fetchall()
        assert [row[: len(rows[0])] for row in told] == rows, answer.sql

    def test_days_that_are_past_are_not_a_number_of_rows(self, reader: Reader):
        answer = reader.read("Customers with orders in the last 30 days", TODAY)
        assert isinstance(answer, Answerable)
        assert "2024-04-21" in answer.sql
        assert "LIMIT" not in answer.sql

    def test_a_superlative_belongs_to_the_column_it_begins(self):
        rows = [(12, 80.5, "bay"), (30, 60.25, "bay"), (8, 90.0, "inland")]
        names = ("housing_median_age", "median_house_value", "ocean_proximity")
        columns = facts(names, ("integer", "float", "string"), rows)
        answer = Reader([TableFacts("homes", columns)]).read(
            "What is the cheapest house value near bay?", TODAY
        )
        assert isinstance(answer, Answerable)
        assert answer.sql.startswith('SELECT MIN("median_house_value")')

    def test_numbers_are_read_in_the_units_of_their_column(self):
        rows = [("Pilot", 26.06), ("Finale", 31.5)]
        columns = facts(("title", "viewers (millions)"), ("string", "float"), rows)
        answer = Reader([TableFacts("episodes", columns)]).read(
            "Which title had 26.06 million viewers?", TODAY
        )
        assert isinstance(answer, Answerable)
        assert "= 26.06" in answer.sql

    def test_groups_hold_every_value(self, store: duckdb.DuckDBPyConnection, reader: Reader):
        answer = reader.read("average amount by region", TODAY)
        assert isinstance(answer, Answerable)
        told = dict(store.execute(answer.sql).fetchall())
        assert told == {"North": 160.0, "South": 85.0, "West": 50.0, None: 60.0}
        assert "average amount" in answer.interpretation
        assert "region" in answer.interpretation

    def test_top_rows_are_sorted_and_cut(self, store: duckdb.DuckDBPyConnection, reader: Reader):
        answer = reader.read("Show the 2 orders with the highest amount", TODAY)
        assert isinstance(answer, Answerable)
        assert [row[0] for row in store.execute(answer.sql).fetchall()] == [3, 1]

    def test_the_same_question_gives_the_same_sql(self, reader: Reader):
        first, second = (reader.read("amount by region", TODAY) for _ in range(2))
        assert first == second


class TestCharts:
    @pytest.mark.parametrize(
        ("question", "kind"),
        [
            ("Bar chart of orders by region", "bar_chart"),
            ("pie chart of orders per region", "pie_chart"),
            ("Plot the average amount over time", "line_chart"),
            ("scatter plot of amount against quantity", "scatter_plot"),
        ],
    )
    def test_the_words_choose_the_kind(self, reader: Reader, question: str, kind: str):
        answer = reader.read(question, TODAY)
        assert isinstance(answer, Answerable)
        assert answer.chart is not None
        assert answer.chart.type == kind
        assert answer.chart.values
        assert not answer.ignored

    def test_labels_and_values_are_columns_of_the_answer(
        self, store: duckdb.DuckDBPyConnection, reader: Reader
    ):
        answer = reader.read("Draw a bar chart of total amount by region", TODAY)
        assert isinstance(answer, Answerable)
        assert answer.chart is not None
        names = [column[0] for column in store.execute(answer.sql).description or ()]
        assert names == [answer.chart.label, *answer.chart.values]

    def test_a_question_without_the_wish_gets_none(self, reader: Reader):
        answer = reader.read("average amount by region", TODAY)
        assert isinstance(answer, Answerable)
        assert answer.chart is None


class TestRefusals:
    @pytest.mark.parametrize(
        "question", ["", "   ", "What is the weather like in Paris?", "tell me a joke about cats"]
    )
    def test_suggestions_that_work_take_the_place_of_a_guess(
        self, store: duckdb.DuckDBPyConnection, reader: Reader, question: str
    ):
        answer = reader.read(question, TODAY)
        assert isinstance(answer, NotUnderstood)
        assert answer.sentence
        assert answer.suggestions
        for suggestion in answer.suggestions:
            better = reader.read(suggestion, TODAY)
            assert isinstance(better, Answerable), suggestion
            assert store.execute(better.sql).fetchall()

    @pytest.mark.parametrize(
        ("question", "name"),
        [
            ("how many orders with Z77?", "Z77"),
            ("How many orders from Zanzibar?", "Zanzibar"),
            ("How many orders with customer 'Zed'?", "Zed"),
            ("How many returned orders from Nowhere Land?", "Nowhere Land"),
        ],
    )
    def test_a_value_that_no_column_holds_is_refused_by_its_name(
        self, reader: Reader, question: str, name: str
    ):
        answer = reader.read(question, TODAY)
        assert isinstance(answer, NotUnderstood), answer
        assert f'"{name}"' in answer.sentence
        assert all(isinstance(reader.read(one, TODAY), Answerable) for one in answer.suggestions)

    @pytest.mark.parametrize(
        "question",
        [
            "How many orders were there in March?",
            "how many orders in Q1?",
            "Average amount for Bob",
        ],
    )
    def test_months_quarters_and_values_are_no_unknown_names(self, reader: Reader, question: str):
        assert isinstance(reader.read(question, TODAY), Answerable)

    def test_hostile_names_and_values_stay_quoted(self):
        rows = [("a'; drop table x; --", 1), ("b", 2)]
        columns = facts(('na"me', "n"), ("string", "integer"), rows)
        reader = Reader([TableFacts('we"ird', columns)])
        answer = reader.read("average n by na me", TODAY)
        store = duckdb.connect(config={"threads": 1})
        store.execute('create table "we""ird" ("na""me" varchar, n bigint)')
        assert isinstance(answer, Answerable)
        store.execute(answer.sql)


class TestJoins:
    SINGERS = (("singer_id", "name", "age"), ("integer", "string", "integer"))
    CONCERTS = (("concert_id", "singer_id", "year"), ("integer", "integer", "integer"))
    ROWS = (
        [(1, "Joe", 50), (2, "Ada", 30), (3, "Kim", 41)],
        [(10, 1, 2014), (11, 1, 2015), (12, 2, 2014)],
    )

    @pytest.fixture
    def tables(self) -> list[TableFacts]:
        return [
            TableFacts("singer", facts(*self.SINGERS, self.ROWS[0])),
            TableFacts("concert", facts(*self.CONCERTS, self.ROWS[1])),
        ]

    def test_keys_are_found_by_name_and_containment(self, tables: list[TableFacts]):
        (key,) = find_keys(tables)
        assert (key.table, key.column, key.to_table, key.to_column) == (
            "concert", "singer_id", "singer", "singer_id",
        )  # fmt: skip
        assert join_path([key], "singer", "concert") == [key]
        assert join_path([], "singer", "concert") is None

    @pytest.mark.parametrize(
        ("question", "rows"),
        [
            ("How many singers do we have?", [(3,)]),
            ("What is the name of the oldest singer?", [("Joe",)]),
            ("Which singer has the most concerts?", [("Joe",)]),
            ("What are the names of singers without any concerts?", [("Kim",)]),
            ("Show the names of singers with more than one concert", [("Joe",)]),
            ("What are the minimum and maximum age of singers?", [(30, 50)]),
            ("What is the name of the singer with the greatest age?", [("Joe",)]),
            ("What are the age and name of the singer that has the lowest age?", [(30, "Ada")]),
            ("Find the number of distinct names of singers", [(3,)]),
            (
                "List the names of singers in descending order of age",
                [("Joe",), ("Kim",), ("Ada",)],
            ),
            (
                "Sort all the singers by age and return the name and age of each singer",
                [("Ada", 30), ("Kim", 41), ("Joe", 50)],
            ),
            (
                "Show the name of each singer and the number of concerts, by ascending number",
                [("Ada", 1), ("Joe", 2)],
            ),
            ("How many singers are older than 45 or younger than 35?", [(2,)]),
            ("What are the names of the 2 youngest singers?", [("Ada",), ("Kim",)]),
            ("Which singers are older than the average age?", [("Joe",), ("Kim",)]),
        ],
    )
    def test_questions_reach_over_tables(
        self, tables: list[TableFacts], question: str, rows: list[Any]
    ):
        store = duckdb.connect(config={"threads": 1})
        store.execute("create table singer (singer_id bigint, name varchar, age bigint)")
        store.execute("create table concert (concert_id bigint, singer_id bigint, year bigint)")
        insert(store, "singer", self.ROWS[0])
        insert(store, "concert", self.ROWS[1])
        answer = Reader(tables).read(question, TODAY)
        assert isinstance(answer, Answerable), answer
        assert store.execute(answer.sql).fetchall() == rows, answer.sql


class TestAnalysts:
    """What analysts leave out: rows, sums, people, periods, the words of verbs."""

    NAMES = ("order_id", "employee_name", "city", "revenue", "discount", "sold_on", "shipped_on")
    ROWS: tuple[tuple[Any, ...], ...] = tuple(
        (at + 1, ("Ann Lee", "Bob Day", "Cid Roe")[at % 3], ("Leeds", "York")[at % 2],
         10.0 * at + 5, 5 * (at % 3), date(2023 + at % 2, 1 + at % 4, 3),
         None if at % 4 == 0 else date(2024, 5, 1))
        for at in range(24)
    )  # fmt: skip

    @pytest.mark.parametrize(
        ("question", "same"),
        [
            ("orders not from York", "select * from s where city <> 'York'"),
            ("What was our revenue in March 2023?",
             "select sum(revenue) from s where sold_on >= '2023-03-01' and sold_on < '2023-04-01'"),
            ("How many orders had no discount?", "select count(*) from s where discount = 0"),
            ("How many orders were not shipped?",
             "select count(*) from s where shipped_on is null"),
            ("number of cities per employee name",
             "select employee_name, count(distinct city) from s group by 1"),
            ("2023 vs 2024 revenue",
             "select year(sold_on), sum(revenue) from s group by 1"),
            ("biggest order by revenue", "select order_id from s order by revenue desc limit 1"),
            ("employee names with more than 7 orders",
             "select employee_name from s group by 1 having count(*) > 7"),
            ("which city has the most orders?",
             "select city from s group by 1 order by count(*) desc limit 1"),
            ("bottom 2 employee names by revenue",
             "select employee_name, sum(revenue) from s group by 1 order by 2 limit 2"),
            ("average revenue per order", "select avg(revenue) from s"),
        ],
    )  # fmt: skip
    def test_what_is_left_out_is_meant(self, question: str, same: str):
        kinds = ("integer", "string", "string", "float", "integer", "date", "date")
        store = duckdb.connect(config={"threads": 1})
        store.execute(
            "create table s (order_id bigint, employee_name varchar, city varchar,"
            " revenue double, discount bigint, sold_on date, shipped_on date)"
        )
        insert(store, "s", self.ROWS)
        answer = Reader([TableFacts("s", facts(self.NAMES, kinds, list(self.ROWS)))]).read(
            question, TODAY
        )
        assert isinstance(answer, Answerable), answer
        gold = store.execute(same).fetchall()
        assert alike(gold, store.execute(answer.sql).fetchall(), wider=True), answer.sql

    def test_suggestions_of_a_refusal_are_answered(self):
        kinds = ("integer", "string", "string", "float", "integer", "date", "date")
        reader = Reader([TableFacts("s", facts(self.NAMES, kinds, list(self.ROWS)))])
        refused = reader.read("Why is the sky blue above Zanzibar?", TODAY)
        assert isinstance(refused, NotUnderstood)
        assert refused.suggestions
        told = [reader.read(one, TODAY) for one in refused.suggestions]
        assert all(isinstance(one, Answerable) for one in told), refused.suggestions

    def test_suggestions_pass_over_codes_years_and_columns_that_are_nearly_empty(self):
        rows = [
            (
                n,
                1900 + n,
                f"{n + 10000:05}",
                n + 0.5 if n < 45 else None,
                n * 2.5,
                "late" if n < 2 else None,
                f"city {n % 3}",
            )
            for n in range(100)
        ]
        kinds = ("integer", "integer", "string", "float", "float", "string", "string")
        names = ("column_1", "built", "postal code", "rebate", "total", "note", "city")
        refused = Reader([TableFacts("s", facts(names, kinds, rows))]).read(
            "tell me a joke about cats", TODAY
        )
        assert isinstance(refused, NotUnderstood)
        assert refused.suggestions[1:] == (
            "What is the average total?",
            "Number of rows per city",
            "Average total by city",
        )


class TestNumbersAndValues:
    """Numbers without a nought before the point, pronouns, and short values said of a column."""

    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            ("a share of .833", [0.833]),
            ("which rank is the lowest one", []),
            ("a size larger that 7.5", [7.5]),
        ],
    )
    def test_numbers(self, text: str, numbers: list[float]):
        assert [one.number for one in compared_numbers(text)] == numbers

    def test_a_stop_word_is_a_value_where_it_is_said_of_a_column(self):
        rows = [("x", "no", 1), ("y", "yes", 2), ("z", "unknown", 3), ("w", "partly", 4)]
        table = TableFacts(
            "t", facts(("tool", "gzip", "size"), ("string", "string", "integer"), rows)
        )
        answer = Reader([table]).read("What is the tool with a gzip of no?", TODAY)
        assert isinstance(answer, Answerable)
        assert "= 'no'" in answer.sql
