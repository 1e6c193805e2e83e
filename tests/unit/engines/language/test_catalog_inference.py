"""What a catalog says of tables before anybody corrects it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, ClassVar

import pytest

from modelwright.engines.facts import ColumnFacts, ColumnType, Value
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.catalog.meaning import Additivity, Catalog, Role
from modelwright.engines.language.rules.columns.schema import TableFacts

KINDS: dict[type, ColumnType] = {
    int: "integer", float: "float", str: "string", bool: "boolean", date: "date",
}  # fmt: skip


def facts(name: str, values: Sequence[Any]) -> ColumnFacts:
    known: list[Value] = [one for one in values if one is not None]
    top = tuple(Counter(known).most_common())
    low, high = min(known), max(known)
    missing = len(values) - len(known)
    return ColumnFacts(name, KINDS[type(known[0])], len(values), missing, len(top), low, high, top)


def table(name: str, columns: Mapping[str, Sequence[Any]]) -> TableFacts:
    return TableFacts(name, tuple(facts(column, values) for column, values in columns.items()))


ORDERS = table(
    "orders",
    {
        "order_id": range(1, 13),
        "billing_address_id": [1, 2, 3] * 4,
        "shippingAddressID": [*[3, 2] * 5, 1, 9],
        "order_date": [date(2024, 1, day) for day in range(1, 13)],
        "due_date": [date(2024, 2, day) for day in range(1, 13)],
        "total_usd": [10.5, 20.0, 30.0, 1.0] * 3,
        "unit_price": [1.5, 2.0, 3.0, 1.0] * 3,
        "returned": ["yes", "no"] * 6,
        "email": ["a@b.c"] * 12,
        "zip": [1010, 1020, 1030, 1040] * 3,
        "lat": [47.1, 47.2, 47.3, 47.4] * 3,
    },
)
ADDRESSES = table(
    "addresses",
    {"address_id": [1, 2, 3], "city": ["Paris", "Lyon", "Nice"], "year": [2001, 1999, 2005]},
)


@pytest.fixture(scope="module")
def shop() -> Catalog:
    return infer_catalog([ORDERS, ADDRESSES], {("orders", "total_usd"): "DECIMAL(10,2)"})


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("order_id", Role.ID),
        ("billing_address_id", Role.ID),
        ("order_date", Role.DATE),
        ("total_usd", Role.MEASURE),
        ("returned", Role.FLAG),
        ("email", Role.DIMENSION),
        ("zip", Role.DIMENSION),
    ],
)
def test_tells_the_role_of_a_column_and_why(shop: Catalog, name: str, role: Role) -> None:
    column = shop.column("orders", name)
    assert column is not None
    assert column.role is role
    assert column.reasons["role"]


def test_numbers_that_are_years_are_dates(shop: Catalog) -> None:
    year = shop.column("addresses", "year")
    assert year is not None
    assert (year.role, year.format) == (Role.DATE, "year")


@pytest.mark.parametrize(
    ("name", "additivity"),
    [
        ("total_usd", Additivity.SUM),
        ("unit_price", Additivity.AVERAGE),
        ("lat", Additivity.NEITHER),
        ("order_id", None),
    ],
)
def test_tells_how_measures_may_be_put_together(
    shop: Catalog, name: str, additivity: Additivity | None
) -> None:
    column = shop.column("orders", name)
    assert column is not None
    assert column.additivity is additivity


def test_columns_have_aliases_units_types_and_privacy(shop: Catalog) -> None:
    shipping, total = (
        shop.column("orders", "shipping_address_id"),
        shop.column("orders", "total_usd"),
    )
    email = shop.column("orders", "email")
    assert shipping is not None
    assert total is not None
    assert email is not None
    assert shipping.name == "shippingAddressID"
    assert (total.unit, total.sql_type) == ("USD", "DECIMAL(10,2)")
    assert email.private
    assert not total.private


def test_aliases_are_unique_in_a_table() -> None:
    found = infer_catalog([table("t", {"Unit Price": [1.0], "unit_price": [2.0], "2nd": [3.0]})])
    assert [one.alias for one in found.tables[0].columns] == [
        "unit_price",
        "unit_price_2",
        "c_2_nd",
    ]


def test_two_keys_to_one_table_have_their_roles_and_orphans(shop: Catalog) -> None:
    found = {one.column: one for one in shop.relationships}
    billing, shipping = found["billing_address_id"], found["shippingAddressID"]
    assert (billing.to_table, billing.role, billing.orphans) == ("addresses", "billing", 0)
    assert (shipping.to_column, shipping.role, shipping.orphans) == ("address_id", "shipping", 1)


def test_a_key_to_its_own_table_is_found() -> None:
    staff = table(
        "staff", {"emp_id": [1, 2, 3, 4], "name": [*"ABCD"], "manager_id": [None, 1, 1, 2]}
    )
    (key,) = infer_catalog([staff]).relationships
    assert (key.column, key.to_table, key.to_column, key.role) == (
        "manager_id",
        "staff",
        "emp_id",
        "manager",
    )


@pytest.mark.parametrize(
    ("column", "is_key"),
    [
        ("line_manager_no", True), ("reports_to", True), ("previous_answer_id", True),
        ("manager_rating", False), ("My mentor listens to me", False), ("lead_score", False),
    ],
)  # fmt: skip
def test_a_mark_that_somebody_got_is_no_key_to_its_own_table(column: str, *, is_key: bool) -> None:
    answers = table("answers", {"answer_id": range(1, 21), column: [5, 4, 3, 3] * 5})
    assert bool(infer_catalog([answers]).relationships) is is_key


def test_a_small_key_of_another_table_is_no_key_to_its_own() -> None:
    sales = table("sales", {"sale_id": range(1, 9), "store_id": [1, 2] * 4})
    assert not infer_catalog([sales]).relationships


def test_one_row_with_an_unknown_key_parts_no_tables() -> None:
    sales = table("sales", {"sale_id": range(1, 101), "store_id": [99, *[10, 20] * 49, 10]})
    stores = table("stores", {"store_id": [10, 20, 30], "city": ["Oslo", "Rome", "Bern"]})
    (key,) = infer_catalog([sales, stores]).relationships
    assert (key.column, key.orphans) == ("store_id", 1)


def test_rows_are_called_by_table_and_key(shop: Catalog) -> None:
    assert shop.tables[0].row_nouns[0] == "orders"
    clients = infer_catalog([table("export_2024", {"client_id": [1, 2, 3]})])
    assert "clients" in clients.tables[0].row_nouns


@pytest.mark.parametrize(
    ("name", "nouns"),
    [
        ("customer_data", ("customers", "clients")),
        ("films", ("films", "movies")),
        ("vehicles", ("vehicles", "cars")),
        ("loans", ("loans", "credits")),
        ("orders", ("orders",)),
        ("2024", ()),
    ],
)
def test_rows_have_the_other_usual_name_of_their_kind(name: str, nouns: tuple[str, ...]) -> None:
    assert infer_catalog([table(name, {"#": ["a", "b", "a"]})]).tables[0].row_nouns == nouns


@pytest.mark.parametrize(
    ("name", "columns", "nouns"),
    [
        ("train", ["Pclass", "SibSp", "Fare", "Embarked"], ("trains", "passengers", "people")),
        ("telco", ["gender", "Contract", "MonthlyCharges", "Churn"],
         ("telcos", "customers", "clients", "subscribers", "people")),
        ("staff_export_final", ["job_title", "city"], ("staffs",)),
        ("acme_export", ["job_title", "hire_date", "overtime"],
         ("acmes", "employees", "workers", "people")),
        # one word is not enough, nor two kinds that are as likely
        ("telco", ["gender", "Churn"], ("telcos",)),
        ("mixed", ["Salary", "Department", "GPA", "Semester"], ("mixeds",)),
        # rows with a customer are none, and a table that says what its rows are is believed
        ("sheet", ["customer", "contract", "tenure"], ("sheets",)),
        ("sheet", ["Client Name", "contract", "tenure"], ("sheets",)),
        ("payments", ["contract", "tenure", "churn"], ("payments",)),
    ],
)  # fmt: skip
def test_rows_are_called_by_their_columns_where_no_name_tells(
    name: str, columns: list[str], nouns: tuple[str, ...]
) -> None:
    found = infer_catalog([table(name, {one: ["a", "b", "a"] for one in columns})]).tables[0]
    assert found.row_nouns == nouns
    told = [one for one in columns if one in found.reasons["row_nouns"]]
    assert bool(told) == (len(nouns) > 1)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Größe", "grosse"),
        ("prénom", "prenom"),
        ("Año", "ano"),
        ("ÜbersichtNeu", "ubersicht neu"),
        ("ÉTAT_civil", "etat civil"),
    ],
)
def test_letters_with_marks_do_not_part_a_name(name: str, label: str) -> None:
    found = infer_catalog([table("Umsätze_2024", {name: ["x", "y", "z"]})]).tables[0]
    assert (found.columns[0].label, found.row_nouns) == (label, ("umsatzes",))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("duration_min", "duration minutes"),
        ("Delay min", "delay minutes"),
        ("waitMin", "wait minutes"),
        ("temp_min", "temperature minimum"),
        ("price_min", "price minimum"),
        ("min_delay", "minimum delay"),
        ("duration_max", "duration maximum"),
    ],
)
def test_min_is_a_unit_behind_what_lasts_alone(name: str, label: str) -> None:
    found = infer_catalog([table("trips", {name: [1, 2, 3]})]).tables[0]
    assert found.columns[0].label == label


@pytest.mark.parametrize(
    ("name", "role", "unit"),
    [
        ("Fee (£)", Role.MEASURE, "GBP"),
        ("Gas Cost ($)", Role.MEASURE, "USD"),
        ("Sick Days", Role.MEASURE, "days"),
        ("Calls Last 90 Days", Role.MEASURE, ""),
        ("Number of Storeys", Role.MEASURE, ""),
        ("House Number", Role.DIMENSION, ""),
        ("Council District", Role.DIMENSION, ""),
    ],
)
def test_numbers_are_told_from_codes_and_units_from_periods(
    name: str, role: Role, unit: str
) -> None:
    column = infer_catalog([table("visits", {name: [3, 5, 5, 8]})]).tables[0].columns[0]
    assert (column.role, column.unit) == (role, unit)


@pytest.mark.parametrize(
    ("name", "key", "noun"),
    [
        ("Payroll_YTD_Nov2026", "Emp ID", "employees"),
        ("crm export march", "cust_no", "customers"),
        ("bank_2025", "txn_id", "transactions"),
    ],
)
def test_a_short_key_calls_rows_by_the_whole_word(name: str, key: str, noun: str) -> None:
    nouns = infer_catalog([table(name, {key: [11, 12, 13]})]).tables[0].row_nouns
    assert noun in nouns
    assert not {"novs", "marches", "ytds", "marchs"} & set(nouns)


def test_a_period_means_the_date_of_what_happened(shop: Catalog) -> None:
    assert shop.tables[0].default_date == "order_date"


def test_no_date_is_the_usual_one_where_several_are_alike() -> None:
    found = infer_catalog(
        [table("t", {"opened": [date(2024, 1, 1)] * 2, "reviewed": [date(2024, 1, 2)] * 2})]
    )
    assert found.tables[0].default_date is None


def test_a_date_that_is_called_as_the_rows_are_is_the_usual_one() -> None:
    days = {"check_in": [date(2024, 1, 1)] * 2, "booked_on": [date(2024, 1, 2)] * 2}
    (found,) = infer_catalog([table("bookings", days)]).tables
    assert found.default_date == "booked_on"


CODES = ["AAA", "BBB", "CCC", "DDD"]
PLACES = table(
    "places",
    {"code": [f"P{n:02}" for n in range(30)], "title": [f"Place {n}" for n in range(30)]},
)


class TestKeysByValues:
    """Texts that are all among those that name other rows lead there, whatever they are called."""

    def test_codes_that_are_called_otherwise_lead_to_the_rows_they_name(self) -> None:
        trips = table("trips", {"leaving": ["P01", "P02", "P03"] * 9, "day": [*range(27)]})
        (key,) = infer_catalog([trips, PLACES]).relationships
        assert (key.column, key.to_table, key.to_column) == ("leaving", "places", "code")
        assert key.reason == "its values are those of code of places"

    def test_two_of_them_have_roles(self) -> None:
        trips = table(
            "trips", {"start": ["P01", "P02", "P03"] * 9, "goal": ["P04", "P05", "P06"] * 9}
        )
        roles = {one.column: one.role for one in infer_catalog([trips, PLACES]).relationships}
        assert roles == {"start": "start", "goal": "goal"}

    @pytest.mark.parametrize(
        "values",
        [
            ["P01", "P02", "X03"] * 9,  # others among them
            ["P01", "P02"] * 9,  # too few
            ["Place 1", "Place 2", "Place 3"] * 9,  # no codes, and few of them
        ],
    )
    def test_what_may_be_chance_is_none(self, values: list[str]) -> None:
        assert infer_catalog([table("trips", {"leaving": values}), PLACES]).relationships == ()

    SHORT: ClassVar[list[str]] = ["ALP", "BRA", "CHI", "DEL", "ECH"]

    @pytest.mark.parametrize(
        ("called", "values", "leads"),
        [
            ("code", SHORT[:3] * 9, True),
            ("code", [*SHORT[:3] * 9, "ZUL"], False),  # of few rows each must be there
            ("word", SHORT[:3] * 9, False),  # texts of few rows may be alike by chance
        ],
    )
    def test_few_rows_are_led_to_where_they_have_codes(
        self, called: str, values: list[str], leads: bool
    ) -> None:
        piers = table("piers", {called: self.SHORT, "depth": [4, 6, 6, 9, 12]})
        trips = table("trips", {"leaving": values})
        assert bool(infer_catalog([trips, piers]).relationships) is leads

    def test_few_rows_that_another_key_leads_to_by_its_name_are_led_to(self) -> None:
        piers = table("piers", {"pier": self.SHORT, "depth": [4, 6, 6, 9, 12]})
        trips = table("trips", {"leaving": self.SHORT[:3] * 9, "landing": self.SHORT[1:4] * 9})
        guards = table("guards", {"guard": [*range(20)], "pier": self.SHORT * 4})
        keys = infer_catalog([trips, piers, guards]).relationships
        assert {(one.table, one.column) for one in keys} == {
            ("guards", "pier"), ("trips", "leaving"), ("trips", "landing"),
        }  # fmt: skip

    def test_values_that_lead_to_two_tables_lead_nowhere(self) -> None:
        other = table("shops", {"sign": [f"P{n:02}" for n in range(30)]})
        trips = table("trips", {"leaving": ["P01", "P02", "P03"] * 9})
        keys = infer_catalog([trips, PLACES, other]).relationships
        assert not [one for one in keys if one.table == "trips"]

    def test_numbers_that_count_alike_are_no_key_back(self) -> None:
        bills = table("bills", {"bill_id": [*range(1, 31)]})
        lines = table(
            "bill_lines", {"bill_line_id": [*range(1, 61)], "bill_id": [*range(1, 31)] * 2}
        )
        keys = infer_catalog([bills, lines]).relationships
        assert [(one.table, one.column) for one in keys] == [("bill_lines", "bill_id")]


class TestRevenue:
    LINES: ClassVar[dict[str, Sequence[Any]]] = {
        "quantity": [1, 2, 3] * 4,
        "unit_price": [1.5, 2.0] * 6,
    }

    def test_units_times_their_price_are_a_metric_and_it_says_why(self) -> None:
        (metric,) = infer_catalog([table("lines", self.LINES)]).metrics
        assert (metric.name, metric.expression) == ("revenue", "sum(quantity * unit_price)")
        assert metric.reason == "quantity counts units and unit_price is the price of one"

    def test_names_that_need_quotes_get_them(self) -> None:
        spaced = {"Qty": self.LINES["quantity"], "Unit Price": self.LINES["unit_price"]}
        (metric,) = infer_catalog([table("lines", spaced)]).metrics
        assert metric.expression == 'sum(Qty * "Unit Price")'

    @pytest.mark.parametrize(
        "more",
        [
            {"total": [9.5] * 12},  # a column tells it itself
            {"list_price_per_unit": [9.5, 3.0] * 6},  # two prices
            {"units": [3, 4] * 6},  # two numbers of units
        ],
    )
    def test_none_where_it_is_told_or_not_certain(self, more: dict[str, Sequence[Any]]) -> None:
        assert infer_catalog([table("lines", {**self.LINES, **more})]).metrics == ()


@pytest.mark.parametrize(
    ("unit", "additivity"), [("EUR", Additivity.SUM), ("%", Additivity.AVERAGE)]
)
def test_numbers_keep_the_unit_that_their_file_wrote(unit: str, additivity: Additivity) -> None:
    sales = table("sales", {"rebate": [10.0, 20.5, 7.0]})
    found = infer_catalog([sales], units={("sales", "rebate"): unit}).column("sales", "rebate")
    assert found is not None
    assert (found.unit, found.additivity) == (unit, additivity)
    assert unit in found.reasons["unit"]
