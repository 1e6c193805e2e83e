from collections.abc import Callable
from typing import Any
from unicodedata import normalize

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of, used
from tests.built_models import GENTOO, Built, put_to_work
from tests.factories import ModelSide

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.http.context import Tier
from modelwright.core.limits.contract import LIMITS
from modelwright.predictions.model_cache import PredictorCache
from modelwright.storage.errors import ObjectMissing
from modelwright.storage.object_store import ObjectStore
from modelwright.usage.domain import Kind
from modelwright_runtime.text_keys import spelling_key

ADELIE = GENTOO | {
    "island": "Torgersen",
    "bill_length_mm": 39.1,
    "bill_depth_mm": 18.7,
    "flipper_length_mm": 181,
    "body_mass_g": 3750,
}


class TestWarnings:
    """Values unlike the training data are answered, and told of when that is asked for."""

    def test_tell_of_values_never_seen_and_outside_the_range(
        self, api: TestClient, penguins: str
    ) -> None:
        row = GENTOO | {"island": "Atlantis", "body_mass_g": -5}
        body = api.post(f"{penguins}/infer?include=warnings", json=row).json()
        assert body["warnings"] == [
            {"field": "island", "message": "'Atlantis' was never seen in training"},
            {"field": "body_mass_g", "message": "-5 is outside what training had (2700 to 6300)"},
        ]
        assert "warnings" not in api.post(f"{penguins}/infer", json=row).json()

    def test_are_none_for_a_row_like_the_others(self, api: TestClient, penguins: str) -> None:
        rows = [GENTOO, GENTOO | {"island": " biscoe "}, GENTOO | {"sex": None}]
        items = api.post(f"{penguins}/predictions?include=warnings", json=rows).json()
        assert [item["warnings"] for item in items] == [[], [], []]

    def test_a_version_says_what_its_inputs_held(self, api: TestClient, penguins: str) -> None:
        inputs = api.get(f"{penguins}/describe").json()["inputs"]
        assert inputs["body_mass_g"] == {
            "required": inputs["body_mass_g"]["required"],
            "low": 2700.0,
            "high": 6300.0,
            "values": None,
            "unit": None,
        }
        assert inputs["island"]["values"] == ["Biscoe", "Dream", "Torgersen"]
        assert (inputs["island"]["required"], inputs["sex"]["required"]) == (True, False)


class TestRowErrors:
    """With `errors=rows` a row that does not fit does not keep the others from their answers."""

    def test_answers_what_fits_and_tells_of_the_rest_in_its_place(
        self, api: TestClient, penguins: str
    ) -> None:
        rows = [GENTOO, 5, GENTOO | {"body_mass_g": "heavy"}, ADELIE, {}]
        items = api.post(f"{penguins}/predictions?errors=rows", json=rows).json()
        assert [item["prediction"] for item in items] == [
            {"species": "Gentoo"}, None, None, {"species": "Adelie"}, None,
        ]  # fmt: skip
        codes = [items[place]["error"]["code"] for place in (1, 2, 4)]
        assert codes == ["validation_error", "validation_error", "invalid_request"]
        assert items[2]["error"]["details"][0]["field"] == "2.body_mass_g"
        assert items[2]["error"]["details"][0].keys() == {"field", "message"}
        assert "error" not in items[0]

    def test_takes_rows_none_of_which_fits(self, api: TestClient, penguins: str) -> None:
        items = api.post(f"{penguins}/predictions?errors=rows", json=[5, {}]).json()
        assert [item["prediction"] for item in items] == [None, None]

    def test_refuses_the_request_unless_told(self, api: TestClient, penguins: str) -> None:
        assert api.post(f"{penguins}/predictions", json=[GENTOO, 5]).status_code == 422
        answer = api.post(f"{penguins}/predictions?errors=none", json=[GENTOO])
        assert error_of(answer)["details"][0]["field"] == "errors"
        answer = api.post(f"{penguins}/infer?include=row_errors", json=GENTOO)
        assert error_of(answer)["details"][0]["field"] == "include"


class TestInfer:
    def test_answers_in_the_contract_s_shape(self, api: TestClient, penguins: str) -> None:
        answer = api.post(f"{penguins}/infer", json=GENTOO)
        assert answer.headers["content-type"] == "application/json"
        body = answer.json()
        assert body.pop("request_id") == answer.headers["x-request-id"]
        assert body == {
            "result": {"species": "Gentoo"},
            "model_name": "penguins",
            "model_version": "v1.0",
            "created_at": "2026-03-02T12:00:00Z",
        }
        assert api.post(f"{penguins}/infer", json=ADELIE).json()["result"] == {"species": "Adelie"}

    def test_takes_gaps_where_training_had_them_and_ignores_unknown_fields(
        self, api: TestClient, penguins: str
    ) -> None:
        row = GENTOO | {"sex": None, "bill_length_mm": 46, "colour": "blue", "island": "Atlantis"}
        assert api.post(f"{penguins}/infer", json=row).status_code == 200
        del row["sex"]
        assert api.post(f"{penguins}/infer", json=row).status_code == 200

    @pytest.mark.parametrize("row", [{"island": None}, {}])
    def test_needs_the_fields_that_training_always_had(
        self, api: TestClient, penguins: str, row: dict[str, Any]
    ) -> None:
        row = {name: value for name, value in GENTOO.items() if name != "island"} | row
        answer = api.post(f"{penguins}/infer", json=row)
        assert answer.status_code == 400
        assert error_of(answer)["code"] == "invalid_request"
        assert "island" in error_of(answer)["message"]
        assert error_of(answer)["details"][0]["field"] == "island"

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("flipper_length_mm", "211"),
            ("flipper_length_mm", 211.5),
            ("flipper_length_mm", True),
            ("island", 5),
            ("bill_length_mm", "46.1"),
            ("bill_length_mm", [46.1]),
        ],
    )
    def test_refuses_wrong_types_naming_the_field(
        self, api: TestClient, penguins: str, field: str, value: Any
    ) -> None:
        answer = api.post(f"{penguins}/infer", json=GENTOO | {field: value})
        assert answer.status_code == 422
        assert error_of(answer)["code"] == "validation_error"
        assert field in error_of(answer)["message"]

    @pytest.mark.parametrize("body", [b"", b"{", b"NaN", b"[" * 100_000, b"\xff", b'{"a": 1} x'])
    def test_refuses_what_is_no_json(self, api: TestClient, penguins: str, body: bytes) -> None:
        headers = {"content-type": "application/json"}
        answer = api.post(f"{penguins}/infer", content=body, headers=headers)
        assert answer.status_code == 400
        assert error_of(answer)["code"] == "invalid_request"

    @pytest.mark.parametrize("body", [b"[]", b"5", b'"a"', b"null"])
    def test_refuses_what_is_no_object(self, api: TestClient, penguins: str, body: bytes) -> None:
        headers = {"content-type": "application/json; charset=utf-8"}
        answer = api.post(f"{penguins}/infer", content=body, headers=headers)
        assert answer.status_code == 422
        assert "body" in error_of(answer)["message"]

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "x"])
    def test_refuses_other_content_types(self, api: TestClient, penguins: str, kind: str) -> None:
        answer = api.post(f"{penguins}/infer", content=b"{}", headers={"content-type": kind})
        assert answer.status_code == 400
        assert "Content-Type" in error_of(answer)["message"]

    def test_refuses_a_body_over_10_mb(self, api: TestClient, penguins: str) -> None:
        row = GENTOO | {"island": "x" * LIMITS.body_bytes}
        answer = api.post(f"{penguins}/infer", json=row)
        assert answer.status_code == 413
        assert error_of(answer)["code"] == "payload_too_large"

    def test_is_refused_before_the_version_is_ready(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        version = model_side.draft("m")
        for move in (
            lambda: None,
            lambda: model_side.start(version),
            lambda: model_side.fail(version, "why"),
        ):
            move()
            answer = api.post("/models/m/v1.0/infer", json={})
            assert answer.status_code == 409
            assert error_of(answer)["code"] == "conflict"
        assert "why" in error_of(answer)["message"]

    def test_keeps_answering_while_a_newer_version_is_built(
        self, api: TestClient, model_side: ModelSide, penguins: str
    ) -> None:
        model_side.start(model_side.next("penguins"))
        assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        assert api.post("/models/penguins/v1.1/infer", json=GENTOO).status_code == 409

    def test_names_what_is_not_there(
        self, api: TestClient, other_account_client: TestClient, penguins: str
    ) -> None:
        for client, path, field in (
            (api, "/models/penguins/v9.9", "model_version"),
            (api, "/models/nothing/v1.0", "model_name"),
            (other_account_client, penguins, "model_name"),
        ):
            for verb in ("infer", "predictions"):
                answer = client.post(f"{path}/{verb}", json=GENTOO)
                assert answer.status_code == 404
                assert field in error_of(answer)["message"]

    def test_ends_with_the_model(self, api: TestClient, penguins: str) -> None:
        assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        api.delete("/models/penguins")
        assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 404

    def test_needs_a_key_before_anything_else(
        self, anonymous_client: TestClient, penguins: str
    ) -> None:
        answer = anonymous_client.post(f"{penguins}/infer", content=b"{")
        assert answer.status_code == 401
        assert error_of(answer)["code"] == "unauthorized"

    @pytest.mark.parametrize("tier", [Tier.ENTERPRISE, Tier.BASIC])
    def test_answers_alike_from_memory_and_counts_every_request(
        self,
        penguins: str,
        container: Container,
        make_key: Callable[..., str],
        as_key: Callable[[str], TestClient],
        tier: Tier,
    ) -> None:
        client = as_key(make_key(tier=tier))
        answers = [client.post(f"{penguins}/infer", json=GENTOO) for _ in range(4)]
        results = [answer.json()["result"] for answer in answers]
        assert results == [{"species": "Gentoo"}] * 4
        left = [answer.headers.get("x-ratelimit-remaining") for answer in answers]
        assert left == ([None] * 4 if tier is Tier.ENTERPRISE else ["99", "98", "97", "96"])
        assert used(client, Kind.PREDICTIONS) == 4

    def test_counts_predictions(self, api: TestClient, penguins: str) -> None:
        api.post(f"{penguins}/infer", json=GENTOO)
        api.post(f"{penguins}/predictions", json=[GENTOO] * 4)
        assert used(api, Kind.PREDICTIONS) == 5


class TestMany:
    def test_answers_in_order(self, api: TestClient, penguins: str) -> None:
        answer = api.post(f"{penguins}/predictions", json=[GENTOO, ADELIE, GENTOO])
        items = answer.json()
        told = [item["prediction"]["species"] for item in items]
        assert told == ["Gentoo", "Adelie", "Gentoo"]
        assert len({item["request_id"] for item in items}) == 3
        assert all(set(item) == {"prediction", "request_id"} for item in items)

    def test_of_nothing_is_nothing(self, api: TestClient, penguins: str) -> None:
        assert api.post(f"{penguins}/predictions", json=[]).json() == []

    def test_takes_ten_thousand_rows_and_no_more(self, api: TestClient, penguins: str) -> None:
        answer = api.post(f"{penguins}/predictions", json=[GENTOO] * 10_000)
        assert len(answer.json()) == 10_000
        answer = api.post(f"{penguins}/predictions", json=[GENTOO] * 10_001)
        assert answer.status_code == 422
        assert "10001" in error_of(answer)["message"]

    def test_names_the_row_that_is_wrong(self, api: TestClient, penguins: str) -> None:
        rows: list[Any] = [GENTOO, GENTOO | {"year": "2007"}]
        answer = api.post(f"{penguins}/predictions", json=rows)
        assert answer.status_code == 422
        assert "row 1" in error_of(answer)["message"]
        assert "year" in error_of(answer)["message"]
        rows[1] = GENTOO | {"island": None}
        answer = api.post(f"{penguins}/predictions", json=rows)
        assert answer.status_code == 400
        assert "row 1" in error_of(answer)["message"]
        rows[1] = "Gentoo"
        told = error_of(api.post(f"{penguins}/predictions", json=rows))
        assert told["message"].startswith("row 1 (counted from 0): must be an object")
        assert told["details"][0]["field"] == "1"

    def test_refuses_what_is_no_array(self, api: TestClient, penguins: str) -> None:
        answer = api.post(f"{penguins}/predictions", json=GENTOO)
        assert answer.status_code == 422
        assert "array" in error_of(answer)["message"]

    def test_takes_bodies_up_to_64_mb(self, api: TestClient, penguins: str) -> None:
        padded = [GENTOO | {"note": "x" * LIMITS.body_bytes}]
        assert api.post(f"{penguins}/predictions", json=padded).status_code == 200
        large = b'[{"note": "' + b"x" * LIMITS.predictions_body_bytes + b'"}]'
        headers = {"content-type": "application/json"}
        answer = api.post(f"{penguins}/predictions", content=large, headers=headers)
        assert answer.status_code == 413
        pieces = (large[at : at + 2**20] for at in range(0, len(large), 2**20))
        answer = api.post(f"{penguins}/predictions", content=pieces, headers=headers)
        assert answer.status_code == 413


class TestInclude:
    def test_probabilities_add_up_and_agree_with_the_result(
        self, api: TestClient, penguins: str
    ) -> None:
        body = api.post(f"{penguins}/infer?include=probabilities", json=GENTOO).json()
        assert set(body["probabilities"]) == {"Adelie", "Chinstrap", "Gentoo"}
        assert sum(body["probabilities"].values()) == pytest.approx(1)
        assert max(body["probabilities"], key=body["probabilities"].__getitem__) == "Gentoo"
        assert body["result"] == {"species": "Gentoo"}
        item = api.post(f"{penguins}/predictions?include=probabilities", json=[GENTOO]).json()[0]
        assert item["probabilities"] == pytest.approx(body["probabilities"])

    def test_of_probabilities_is_null_for_a_regression(
        self, api: TestClient, model_side: ModelSide, mass: Built
    ) -> None:
        where = put_to_work(model_side, "mass", mass)
        row = {name: value for name, value in GENTOO.items() if name != "body_mass_g"}
        row["species"] = "Gentoo"
        body = api.post(f"{where}/infer?include=probabilities", json=row).json()
        assert body["probabilities"] is None
        kind: Any = {"integer": int, "float": float}[mass.outcome.output_schema["body_mass_g"]]
        assert isinstance(body["result"]["body_mass_g"], kind)
        assert 3000 < body["result"]["body_mass_g"] < 6500

    def test_an_explanation_adds_up_to_the_link(self, api: TestClient, penguins: str) -> None:
        body = api.post(f"{penguins}/infer?include=explanation", json=GENTOO).json()
        told = body["explanation"]
        assert (told["of"], told["link"]) == ("Gentoo", "score")
        total = told["base"] + sum(told["contributions"].values())
        assert total == pytest.approx(told["sum"], abs=1e-6)
        assert max(told["contributions"].values()) > 0
        batch = api.post(f"{penguins}/predictions?include=explanation", json=[ADELIE, GENTOO])
        assert batch.json()[1]["explanation"] == told

    def test_an_interval_holds_the_result_and_is_null_for_a_class(
        self, api: TestClient, model_side: ModelSide, mass: Built, penguins: str
    ) -> None:
        where = put_to_work(model_side, "mass", mass)
        row = GENTOO | {"species": "Gentoo"}
        query = "include=interval&include=explanation"
        body = api.post(f"{where}/infer?{query}", json=row).json()
        interval = body["interval"]
        assert interval["low"] < body["result"]["body_mass_g"] < interval["high"]
        assert 0 < interval["level"] < 1
        assert body["explanation"]["of"] is None
        assert api.post(f"{penguins}/infer?include=interval", json=row).json()["interval"] is None

    @pytest.mark.parametrize("include", ["shap", "probabilities,shap", "Probabilities"])
    def test_refuses_words_it_does_not_know(
        self, api: TestClient, penguins: str, include: str
    ) -> None:
        for verb, body in (("infer", GENTOO), ("predictions", [GENTOO])):
            answer = api.post(f"{penguins}/{verb}", params={"include": include}, json=body)
            assert answer.status_code == 422
            assert "include" in error_of(answer)["message"]


class TestPredictors:
    def test_keep_only_so_many_and_load_again(self, model_side: ModelSide, species: Built) -> None:
        objects = model_side.container.service(ObjectStore)  # type: ignore[type-abstract]
        for key in "abc":
            objects.put_folder(f"artifacts/{key}", species.folder)
        predictors = PredictorCache(objects, kept=2)
        first, second = predictors.of("artifacts/a"), predictors.of("artifacts/b")
        assert predictors.of("artifacts/a") is first
        predictors.of("artifacts/c")
        assert predictors.of("artifacts/a") is first
        assert predictors.of("artifacts/b") is not second

    def test_refuse_an_artifact_that_is_gone(self, model_side: ModelSide) -> None:
        predictors = PredictorCache(model_side.container.service(ObjectStore))  # type: ignore[type-abstract]
        with pytest.raises(ObjectMissing):
            predictors.of("artifacts/nothing")


class TestDamage:
    @pytest.fixture(params=["model.zip", "training.json"])
    def damaged(
        self, request: pytest.FixtureRequest, penguins: str, settings: Settings
    ) -> tuple[str, str]:
        """A READY model of which one file was overwritten; where it answers, and the file."""
        for path in settings.objects_dir.rglob(f"artifacts/*/1/{request.param}"):
            path.unlink()
            path.write_text("{}")
        return penguins, request.param

    def test_is_told_by_what_reads_the_damaged_file_and_the_server_goes_on(
        self, api: TestClient, damaged: tuple[str, str], model_side: ModelSide, mass: Built
    ) -> None:
        where, file = damaged
        truth = {"request_id": "req_1", "actual": "Gentoo"}
        # A version is one set of files: none of them is served where one is damaged.
        for answer in (
            api.post(f"{where}/infer", json=GENTOO),
            api.post(f"{where}/predictions", json=[GENTOO]),
            api.get(f"{where}/monitoring"),
            api.post(f"{where}/feedback", json=truth),
        ):
            assert answer.status_code == 503, answer.text
            message = error_of(answer)["message"]
            assert file in message
            assert "damaged" in message
            assert "retrain" in message
        other = put_to_work(model_side, "mass", mass)
        assert api.post(f"{other}/infer", json=GENTOO | {"species": "Gentoo"}).status_code == 200

    def test_is_told_of_what_is_gone_as_well(self, api: TestClient, model_side: ModelSide) -> None:
        model_side.ready("churn")
        answers = [
            api.post("/models/churn/v1.0/infer", json={}),
            api.get("/models/churn/v1.0/monitoring"),
            api.get("/models/churn/v1.0/artifact"),
        ]
        for answer in answers:
            assert answer.status_code == 404
            assert "churn v1.0" in error_of(answer)["message"]
            assert "retrain" in error_of(answer)["message"]


def test_the_answer_s_moment_is_the_clock_s(
    api: TestClient, penguins: str, clock: FrozenClock
) -> None:
    clock.advance(hours=1)
    body = api.post(f"{penguins}/infer", json=GENTOO).json()
    assert body["created_at"] == "2026-03-02T13:00:00Z"


class TestComposedLetters:
    @pytest.mark.parametrize("text", ["Café", "Å1"])
    def test_a_letter_with_its_mark_apart_is_the_same_letter(self, text: str) -> None:
        apart = normalize("NFD", text)
        assert apart != text
        assert spelling_key(apart) == spelling_key(text)
