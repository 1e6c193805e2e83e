"""Sessions over several datasets, and over datasets that have newer versions."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

ORDERS = "order_id,customer_id,amount\n" + "".join(
    f"{number},{10 + number % 3},{number}\n" for number in range(1, 31)
)
CUSTOMERS = "customer_id,city\n10,Oslo\n11,Rome\n12,Bern\n"
Answer = dict[str, Any]


@pytest.fixture
def two(model_side: ModelSide, tmp_path: Any) -> tuple[str, str]:
    """Datasets `orders` and `customers` of one file each, as ingestions make them."""
    made = []
    for name, text in (("orders", ORDERS), ("customers", CUSTOMERS)):
        path = tmp_path / f"{name}.csv"
        path.write_text(text, "utf-8")
        made.append(model_side.upload(path, name=name))
    return made[0], made[1]


@pytest.fixture
def ask(api: TestClient) -> Callable[..., Any]:
    """Asks in words or in SQL; answers the response."""

    def send(query: str, kind: str = "natural_language", **members: Any) -> Any:
        return api.post("/data/query", json={"query_type": kind, "query": query, **members})

    return send


class TestTwoDatasets:
    def test_their_tables_are_joined_in_sql_and_in_words(
        self, api: TestClient, two: tuple[str, str], ask: Callable[..., Any]
    ):
        opened = api.post("/data/sessions", json={"dataset_ids": ["orders", "customers"]})
        assert opened.status_code == 200, opened.text
        session = opened.json()
        assert [one["table"] for one in session["tables"]] == ["orders", "customers"]
        assert [one["upload_id"] for one in session["datasets"]] == list(two)
        assert session["name"] == "orders, customers"
        in_sql = ask(
            "SELECT city, sum(amount) FROM orders JOIN customers USING (customer_id)"
            " GROUP BY city ORDER BY city",
            "sql",
        ).json()
        right = [["Bern", 155], ["Oslo", 165], ["Rome", 145]]
        assert in_sql["rows"] == right
        in_words = ask("total amount by city").json()
        assert sorted(in_words["rows"]) == right, in_words

    def test_an_upload_may_stand_beside_a_dataset(self, api: TestClient, two: tuple[str, str]):
        body = {"upload_id": two[1], "dataset_ids": ["orders", two[1]]}
        session = api.post("/data/sessions", json=body).json()
        assert [one["table"] for one in session["tables"]] == ["customers", "orders"]
        assert session["upload_id"] == two[1]

    def test_tables_that_are_called_alike_are_called_by_their_datasets_too(
        self, api: TestClient, model_side: ModelSide, tmp_path: Any, ask: Callable[..., Any]
    ):
        path = tmp_path / "orders.csv"
        path.write_text(ORDERS, "utf-8")
        for name in ("shop", "old shop"):
            model_side.upload(path, name=name)
        session = api.post("/data/sessions", json={"dataset_ids": ["shop", "old shop"]}).json()
        assert [one["table"] for one in session["tables"]] == ["shop_orders", "old_shop_orders"]
        assert session["notices"][0].startswith(
            "The table orders of shop is called shop_orders here"
        )
        counted = ask("SELECT count(*) FROM old_shop_orders", "sql").json()
        assert counted["rows"] == [[30]]

    def test_two_versions_of_one_dataset_are_numbered(
        self, api: TestClient, model_side: ModelSide, two: tuple[str, str]
    ):
        model_side.upload(ORDERS, name="orders")
        body = {"dataset_ids": ["orders@v1.0", "orders"]}
        session = api.post("/data/sessions", json=body).json()
        assert [one["version"] for one in session["datasets"]] == ["v1.0", "v1.1"]
        assert len({one["table"] for one in session["tables"]}) == 2

    def test_another_accounts_dataset_is_not_found(
        self,
        two: tuple[str, str],
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
    ):
        stranger = as_key(make_key("ben@example.org"))
        for body in (
            {"dataset_ids": ["orders"]},
            {"dataset_ids": [two[0]]},
            {"upload_id": two[0], "dataset_ids": ["customers"]},
        ):
            assert stranger.post("/data/sessions", json=body).status_code == 404

    def test_refuses_a_name_that_is_nobodys_by_its_field(
        self, api: TestClient, two: tuple[str, str]
    ):
        answer = api.post("/data/sessions", json={"dataset_ids": ["orders", "nothing"]})
        assert answer.status_code == 404
        assert answer.json()["error"]["message"].startswith("dataset_ids: ")

    def test_ends_with_any_of_its_uploads(self, api: TestClient, two: tuple[str, str]):
        body = {"dataset_ids": ["orders", "customers"]}
        session = api.post("/data/sessions", json=body).json()["session_id"]
        assert api.delete(f"/uploads/{two[1]}").status_code == 200
        assert api.get(f"/data/sessions/{session}").json()["status"] == "ended"

    def test_using_an_upload_opens_one_over_it_alone(self, api: TestClient, two: tuple[str, str]):
        both = api.post("/data/sessions", json={"dataset_ids": list(two)}).json()["session_id"]
        used = api.post("/data/use-upload", json={"upload_id": two[0]}).json()
        assert used["session_id"] != both
        assert [one["table"] for one in used["tables"]] == ["orders"]


class TestStaleSession:
    def test_says_so_in_its_description_and_in_each_answer(
        self,
        api: TestClient,
        model_side: ModelSide,
        two: tuple[str, str],
        ask: Callable[..., Any],
    ):
        session = api.post("/data/sessions", json={"upload_id": two[0]}).json()
        assert ask("SELECT count(*) FROM orders", "sql").json()["warnings"] == []
        newer = model_side.upload(ORDERS + "31,10,5\n", name="orders")
        seen = api.get(f"/data/sessions/{session['session_id']}").json()
        (dataset,) = seen["datasets"]
        assert (dataset["version"], dataset["newest_version"], dataset["is_stale"]) == (
            "v1.0",
            "v1.1",
            True,
        )
        (warning,) = seen["warnings"]
        assert "orders v1.0" in warning
        assert newer in warning
        in_sql = ask("SELECT count(*) FROM orders", "sql").json()
        in_words = ask("How many orders are there?").json()
        assert in_sql["rows"] == in_words["rows"] == [[30]]
        assert warning in in_sql["warnings"]
        assert warning in in_words["warnings"]

    def test_says_so_when_a_column_of_a_newer_version_is_not_found(
        self,
        api: TestClient,
        model_side: ModelSide,
        two: tuple[str, str],
        ask: Callable[..., Any],
    ):
        opened = api.post("/data/sessions", json={"upload_id": two[0]}).json()
        before = ask("SELECT discount FROM orders", "sql")
        assert "holds orders v1.0" not in before.json()["error"]["message"]
        newer = model_side.upload("order_id,discount\n1,0.5\n2,0.7\n", name="orders")
        for query, kind in (
            ("SELECT discount FROM orders", "sql"),
            ("SELECT * FROM discounts", "sql"),
            ("average discount", "natural_language"),
        ):
            refused = ask(query, kind)
            assert refused.status_code == 422, refused.text
            error = refused.json()["error"]
            said = "This session holds orders v1.0; there is v2.0 now. Open a session over it:"
            assert said in error["message"], error
            assert newer in error["message"]
            assert any(newer in one["message"] for one in error["details"])
        history = api.get(f"/data/sessions/{opened['session_id']}/queries").json()["queries"]
        assert newer in history[0]["error"]
        again = api.post("/data/sessions", json={"upload_id": newer})
        assert again.status_code == 200
        assert ask("average discount").json()["rows"] == [[0.6]]

    def test_one_that_is_opened_by_name_holds_the_newest(
        self, api: TestClient, model_side: ModelSide, two: tuple[str, str]
    ):
        newer = model_side.upload(ORDERS, name="orders")
        session = api.post("/data/sessions", json={"dataset_ids": ["orders"]}).json()
        assert (session["upload_id"], session["warnings"]) == (newer, [])

    def test_an_upload_without_a_name_has_no_newer_version(
        self, api: TestClient, model_side: ModelSide
    ):
        upload_id = model_side.upload(ORDERS)
        session = api.post("/data/sessions", json={"upload_id": upload_id}).json()
        model_side.upload(ORDERS)
        seen = api.get(f"/data/sessions/{session['session_id']}").json()
        assert seen["warnings"] == []
