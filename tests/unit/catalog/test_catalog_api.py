"""Catalogs over HTTP: what is inferred and why, what people correct, and what is refused."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide
from tests.unit.catalog.conftest import CUSTOMERS, ORDERS

from modelwright.bootstrap.container import Container
from modelwright.uploads.service import Uploads

Answer = dict[str, Any]
Read = Callable[..., Answer]


def column(catalog: Answer, table: str, name: str) -> Answer:
    found = next(one for one in catalog["tables"] if one["name"] == table)
    return next(one for one in found["columns"] if one["name"] == name)


class TestRead:
    def test_shows_what_was_inferred_and_why(self, read: Read):
        seen = read()
        assert (seen["dataset_name"], seen["version"], seen["updated_at"]) == ("shop", "v1.0", None)
        price = column(seen, "table0", "unit_price")
        assert price["role"] == {
            "value": "measure",
            "inferred": "measure",
            "reason": "it holds numbers",
            "corrected": False,
        }
        assert price["additivity"]["value"] == "average"
        assert "price" in price["additivity"]["reason"]
        orders = seen["tables"][0]
        assert orders["key"]["value"] == "order_id"
        assert orders["default_date"]["value"] == "ordered_on"
        assert orders["default_date"]["reason"] == "it is the only column of dates"
        assert seen["time_zone"]["value"] == "UTC"

    def test_counts_rows_whose_key_names_no_row(self, read: Read):
        (key,) = [one for one in read()["relationships"] if one["column"] == "customer_id"]
        assert (key["to_table"], key["orphans"], key["corrected"]) == ("table1", 1, False)
        assert key["reason"]

    def test_units_are_those_that_the_file_wrote(
        self, read: Read, model_side: ModelSide, container: Container
    ):
        upload_id = model_side.upload("fee,rebate\n1200.5,3\n900.0,4\n12.25,12\n", name="fees")
        uploads = container.service(Uploads)
        with model_side.transaction() as db:
            (file,) = uploads.tables(db, upload_id)
            units = {"fee": "EUR", "rebate": "%"}
            columns = [asdict(one) | {"unit": units[one.name]} for one in file.columns]
            facts = {"format": "csv", "rows": 3, "columns": columns, "notices": []}
            uploads.table_made(db, upload_id, 1, file.key, facts)
        seen = read("fees")
        fee, rebate = (column(seen, "table0", name) for name in ("fee", "rebate"))
        assert (fee["unit"]["value"], rebate["unit"]["value"]) == ("EUR", "%")
        assert (fee["additivity"]["value"], rebate["additivity"]["value"]) == ("sum", "average")

    def test_finds_a_version_by_its_label(self, read: Read, model_side: ModelSide):
        model_side.upload(ORDERS, CUSTOMERS, name="shop")
        assert read()["version"] == "v1.1"
        assert read("shop@v1.0")["version"] == "v1.0"

    def test_a_stranger_finds_nothing(
        self, shop: str, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        stranger = as_key(make_key("ben@example.org"))
        for verb in ("get", "patch"):
            body: dict[str, Any] = {} if verb == "get" else {"json": {"time_zone": "Europe/Oslo"}}
            answer = stranger.request(verb, "/data/catalog/shop", **body)
            assert answer.status_code == 404, answer.text
            assert answer.json()["error"]["details"][0]["field"] == "dataset_name"


class TestUpdate:
    def test_what_somebody_says_wins_and_is_shown_beside_what_was_inferred(
        self, correct: Read, read: Read
    ):
        correct(
            tables={
                "table0": {
                    "row_nouns": ["orders"],
                    "default_filter": "status <> 'cancelled'",
                    "columns": {"quantity": {"role": "dimension", "synonyms": ["pieces"]}},
                }
            },
            time_zone="Europe/Oslo",
            first_day_of_week=7,
            first_month_of_fiscal_year=4,
        )
        seen = read()
        role = column(seen, "table0", "quantity")["role"]
        assert (role["value"], role["inferred"], role["corrected"]) == (
            "dimension",
            "measure",
            True,
        )
        assert column(seen, "table0", "quantity")["additivity"]["value"] is None
        assert column(seen, "table0", "quantity")["synonyms"] == [
            {"words": "pieces", "origin": "correction", "query_id": None, "value": None}
        ]
        assert seen["tables"][0]["row_nouns"]["value"] == ["orders"]
        assert seen["tables"][0]["default_filter"]["value"] == "status <> 'cancelled'"
        assert seen["time_zone"]["value"] == "Europe/Oslo"
        assert seen["first_month_of_fiscal_year"]["corrected"]
        assert seen["updated_at"]

    def test_null_takes_one_back_and_leaves_the_rest(self, correct: Read):
        correct(
            tables={"table0": {"columns": {"city": {"label": "Town", "synonyms": ["place"]}}}},
            time_zone="Europe/Oslo",
        )
        seen = correct(tables={"table0": {"columns": {"city": {"label": None}}}}, time_zone=None)
        city = column(seen, "table0", "city")
        assert (city["label"]["value"], city["label"]["corrected"]) == ("city", False)
        assert [one["words"] for one in city["synonyms"]] == ["place"]
        assert seen["time_zone"] == {
            "value": "UTC",
            "inferred": "UTC",
            "reason": "it is the default",
            "corrected": False,
        }
        seen = correct(tables=None)
        assert column(seen, "table0", "city")["synonyms"] == []

    def test_a_column_may_be_said_to_point_elsewhere_or_nowhere(self, correct: Read):
        none = {"table0": {"columns": {"customer_id": {"references": "none"}}}}
        assert correct(tables=none)["relationships"] == []
        back = {
            "table0": {
                "columns": {
                    "customer_id": {
                        "references": {
                            "table": "table1",
                            "column": "customer_id",
                            "role": "billing",
                        }
                    }
                }
            }
        }
        (key,) = correct(tables=back)["relationships"]
        assert (key["role"], key["orphans"], key["corrected"]) == ("billing", 1, True)

    def test_an_inferred_metric_may_be_rejected_and_taken_back(self, correct: Read, read: Read):
        (inferred,) = read()["metrics"]
        assert (inferred["name"], inferred["corrected"]) == ("revenue", False)
        seen = correct(metrics={"revenue": "none"})
        assert (seen["metrics"], seen["rejected_metrics"]) == ([], [inferred])
        assert seen["not_in_use"] == []
        seen = correct(metrics={"revenue": None})
        assert (seen["metrics"], seen["rejected_metrics"]) == ([inferred], [])

    def test_another_metric_of_the_name_replaces_a_rejected_one(self, correct: Read):
        correct(metrics={"revenue": "none"})
        said = {"table": "table0", "expression": "sum(quantity)"}
        seen = correct(metrics={"revenue": said})
        (metric,) = seen["metrics"]
        assert (metric["expression"], metric["corrected"]) == ("sum(quantity)", True)
        assert seen["rejected_metrics"] == []

    def test_rejecting_what_is_not_inferred_is_told(self, correct: Read):
        (unused,) = correct(metrics={"margin": "none"})["not_in_use"]
        assert unused["field"] == "metrics.margin"
        assert "no metric margin is inferred" in unused["message"]

    def test_a_rejected_key_is_shown_as_it_was_inferred(self, correct: Read, read: Read):
        (key,) = read()["relationships"]
        none = {"table0": {"columns": {"customer_id": {"references": "none"}}}}
        (rejected,) = correct(tables=none)["rejected_relationships"]
        assert rejected == key | {"corrected": True}
        back = {"table0": {"columns": {"customer_id": {"references": None}}}}
        seen = correct(tables=back)
        assert (seen["relationships"], seen["rejected_relationships"]) == ([key], [])

    @pytest.mark.parametrize(
        ("members", "field", "words"),
        [
            ({"time_zone": "Berlin"}, "time_zone", "Europe/Berlin"),
            ({"first_day_of_week": 0}, "first_day_of_week", "1 (Monday) to 7"),
            ({"first_month_of_fiscal_year": 13}, "first_month_of_fiscal_year", "1 (January) to 12"),
            ({"tables": {"table9": {}}}, "tables.table9", "did you mean"),
            ({"tables": {"table0": {"key": "nothing"}}}, "tables.table0.key", "no column"),
            (
                {"tables": {"table0": {"default_date": "city"}}},
                "tables.table0.default_date",
                "send role date",
            ),
            (
                {"tables": {"table0": {"default_date": "unit_price"}}},
                "tables.table0.default_date",
                "holds no dates; name one of ordered_on",
            ),
            (
                {"tables": {"table0": {"columns": {"citty": {"label": "Town"}}}}},
                "tables.table0.columns.citty",
                "did you mean city",
            ),
            (
                {"tables": {"table0": {"columns": {"city": {"role": "measure"}}}}},
                "tables.table0.columns.city.role",
                "texts",
            ),
            (
                {"tables": {"table0": {"columns": {"city": {"role": "boss"}}}}},
                "tables.table0.columns.city.role",
                "measure",
            ),
            (
                {"tables": {"table0": {"columns": {"city": {"additivity": "sum"}}}}},
                "tables.table0.columns.city.additivity",
                "of measures only",
            ),
            (
                {"tables": {"table0": {"columns": {"city": {"synonyms": ["--"]}}}}},
                "tables.table0.columns.city.synonyms",
                "no letter",
            ),
            (
                {
                    "tables": {
                        "table0": {
                            "columns": {
                                "customer_id": {"references": {"table": "table1", "column": "name"}}
                            }
                        }
                    }
                },
                "tables.table0.columns.customer_id.references.column",
                "holds texts, and this column numbers",
            ),
            (
                {"tables": {"table0": {"default_filter": "sum(quantity) > 3"}}},
                "tables.table0.default_filter",
                "single rows",
            ),
            (
                {"tables": {"table0": {"default_filter": "status <> (SELECT 1)"}}},
                "tables.table0.default_filter",
                "SELECT",
            ),
            (
                {"metrics": {"revenue": {"table": "table0", "expression": "sum(quantity *"}}},
                "metrics.revenue.expression",
                "no SQL expression",
            ),
            (
                {"metrics": {"revenue": {"table": "table0", "expression": "sum(qty)"}}},
                "metrics.revenue.expression",
                "qty, which is no column",
            ),
            (
                {"metrics": {"revenue": {"table": "table0", "expression": "quantity * 2"}}},
                "metrics.revenue.expression",
                "aggregate",
            ),
            (
                {"metrics": {"revenue": {"table": "table0", "expression": "sum(city)"}}},
                "metrics.revenue.expression",
                "no numbers",
            ),
            (
                {"metrics": {"revenue": {"table": "table0", "expression": "read_csv('/etc/x')"}}},
                "metrics.revenue.expression",
                "must not call",
            ),
            (
                {"metrics": {"revenue": {"table": "t", "expression": "sum(quantity)"}}},
                "metrics.revenue.table",
                "no table named",
            ),
            (
                {"metrics": {"city": {"table": "table0", "expression": "sum(quantity)"}}},
                "metrics.city",
                "column of that name",
            ),
        ],
    )
    def test_names_the_field_that_cannot_be_kept_and_says_what_to_do(
        self,
        api: TestClient,
        read: Read,
        members: Answer,
        field: str,
        words: str,
    ):
        answer = api.patch("/data/catalog/shop", json=members)
        assert answer.status_code == 422, answer.text
        (detail,) = answer.json()["error"]["details"]
        assert detail["field"] == field
        assert words in detail["message"]
        assert read()["updated_at"] is None

    def test_a_word_means_one_thing_of_a_table(self, correct: Read, api: TestClient):
        correct(tables={"table0": {"columns": {"city": {"synonyms": ["place"]}}}})
        body = {"tables": {"table0": {"columns": {"status": {"synonyms": ["Place"]}}}}}
        answer = api.patch("/data/catalog/shop", json=body)
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["field"] == (
            "tables.table0.columns.status.synonyms"
        )

    def test_needs_a_key_that_may_write(self, shop: str, read_only_client: TestClient):
        assert read_only_client.patch("/data/catalog/shop", json={}).status_code == 403


class TestNewVersion:
    def test_corrections_hold_for_the_next_version(
        self, correct: Read, read: Read, model_side: ModelSide
    ):
        correct(tables={"table0": {"columns": {"city": {"label": "Town"}}}})
        model_side.upload(ORDERS, CUSTOMERS, name="shop")
        seen = read()
        assert seen["version"] == "v1.1"
        assert column(seen, "table0", "city")["label"]["value"] == "Town"

    def test_those_of_a_column_that_is_gone_are_kept_and_said(
        self, correct: Read, read: Read, model_side: ModelSide
    ):
        correct(
            tables={"table0": {"columns": {"city": {"label": "Town"}}}},
            metrics={"revenue": {"table": "table0", "expression": "sum(quantity * unit_price)"}},
        )
        model_side.upload("order_id,total\n1,2\n2,3\n", CUSTOMERS, name="shop")
        (unused, metric, _) = read()["not_in_use"]
        assert unused["field"] == "tables.table0.columns.city"
        assert "v2.0 has no column city" in unused["message"]
        assert (metric["field"], read()["metrics"]) == ("metrics.revenue", [])
        model_side.upload(ORDERS, CUSTOMERS, name="shop")
        seen = read()
        assert seen["not_in_use"] == []
        assert column(seen, "table0", "city")["label"]["value"] == "Town"

    def test_the_only_table_may_be_called_anew(
        self, correct: Read, read: Read, model_side: ModelSide, tmp_path: Any
    ):
        first, second = tmp_path / "sales-jan.csv", tmp_path / "sales-feb.csv"
        for path in (first, second):
            path.write_text("day,amount\n2024-01-01,5\n2024-01-02,6\n", "utf-8")
        model_side.upload(first, name="sales")
        correct("sales", tables={"sales_jan": {"columns": {"amount": {"unit": "EUR"}}}})
        model_side.upload(second, name="sales")
        assert column(read("sales"), "sales_feb", "amount")["unit"]["value"] == "EUR"
        seen = correct("sales", tables={"sales_feb": {"columns": {"amount": {"label": "Money"}}}})
        amount = column(seen, "sales_feb", "amount")
        assert (amount["unit"]["value"], amount["label"]["value"]) == ("EUR", "Money")

    def test_what_is_said_of_an_upload_without_a_name_goes_with_it(
        self, api: TestClient, model_side: ModelSide, correct: Read
    ):
        upload_id = model_side.upload(ORDERS)
        correct(upload_id, time_zone="Europe/Oslo")
        assert api.delete(f"/uploads/{upload_id}").status_code == 200
        assert api.get(f"/data/catalog/{upload_id}").status_code == 404

    def test_what_is_said_of_an_upload_without_a_name_is_said_of_its_other_readings(
        self, api: TestClient, read_again: Callable[[str], str], correct: Read, read: Read
    ):
        first = read_again("")
        correct(first, tables={"orders": {"columns": {"city": {"label": "Town"}}}})
        second = read_again(first)
        assert column(read(second), "orders", "city")["label"]["value"] == "Town"
        correct(second, time_zone="Europe/Oslo")
        assert api.delete(f"/uploads/{first}").status_code == 200
        third = read_again(second)
        assert column(read(third), "orders", "city")["label"]["value"] == "Town"
        assert (read(third)["version"], read(third)["time_zone"]["value"]) == (
            "v1.2",
            "Europe/Oslo",
        )
        assert api.delete(f"/uploads/{second}").status_code == 200
        assert read(third)["time_zone"]["corrected"]
