"""A record that was uploaded can be sent as it is: nested, with lists, with decomposed letters."""

import json
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize

import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.built_models import GENTOO, Built, nested, put_to_work
from tests.factories import ModelSide

from modelwright.engines.automl.monitoring.online_counts import Watch
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds
from modelwright_runtime.predictor import Predictor
from modelwright_runtime.record_fields import fields_of

CHINSTRAP = GENTOO | {
    "island": "Dream",
    "bill_length_mm": 50.0,
    "bill_depth_mm": 19.5,
    "flipper_length_mm": 196,
    "body_mass_g": 3900,
}
FLAT = {
    "\u00eele": "Biscoe",
    "bird.bill_length_mm": 46.1,
    "bird.bill_depth_mm": 13.2,
    "bird.flipper_length_mm": 211,
    "bird.body_mass_g": 4500,
    "seen.marks": '["female"]',
    "seen.marks.count": 1,
    "seen.year": 2007,
}


@pytest.fixture
def birds(model_side: ModelSide, nested_species: Built) -> str:
    return put_to_work(model_side, "birds", nested_species)


def result_of(answer: dict[str, Any]) -> Any:
    return answer["result"]["species"]


class TestNestedRows:
    def test_a_record_is_answered_as_its_flat_fields_are(self, api: TestClient, birds: str):
        asked = "/infer?include=probabilities,warnings"
        flat = api.post(birds + asked, json=FLAT).json()
        as_it_was = api.post(birds + asked, json=nested(GENTOO)).json()
        assert flat["probabilities"] == as_it_was["probabilities"]
        assert flat["warnings"] == as_it_was["warnings"] == []
        assert result_of(flat) == "Gentoo"
        other = api.post(f"{birds}/infer", json=nested(CHINSTRAP)).json()
        assert result_of(other) == "Chinstrap"

    def test_a_feature_of_geojson_is_answered_as_its_properties_are(
        self, api: TestClient, birds: str
    ):
        asked = f"{birds}/infer?include=probabilities,warnings"
        flat = api.post(asked, json=FLAT).json()
        point = {"type": "Point", "coordinates": [-64.1, -64.8, 12]}
        for geometry in (point, None):
            feature = {"type": "Feature", "geometry": geometry, "properties": nested(GENTOO)}
            answer = api.post(asked, json=feature).json()
            assert answer["probabilities"] == flat["probabilities"]
            assert (result_of(answer), answer["warnings"]) == ("Gentoo", [])
        other = {"type": "Feature", "geometry": point, "properties": nested(CHINSTRAP)}
        assert result_of(api.post(f"{birds}/infer", json=other).json()) == "Chinstrap"

    def test_a_feature_has_the_fields_that_an_upload_of_it_has(self, tmp_path: Path):
        features: list[dict[str, Any]] = [
            {"type": "Feature", "id": 7, "geometry": {"type": "Point", "coordinates": [8.5, 47.4]},
             "properties": {"name": "Z\u00fcrich", "size": {"km2": 87.9}, "longitude": "east"}},
            {"type": "Feature", "id": 8, "geometry": {"type": "Point", "coordinates": [7.4, 46.9]},
             "properties": {"name": "Bern", "size": {"km2": 51.6}, "longitude": "west"}},
        ]  # fmt: skip
        source, table = tmp_path / "towns.geojson", tmp_path / "towns.parquet"
        source.write_text(json.dumps({"type": "FeatureCollection", "features": features}), "utf-8")
        convert(source, table, name=source.name, content_type="", bounds=Bounds(), scratch=tmp_path)
        for feature, uploaded in zip(features, pq.read_table(table).to_pylist(), strict=True):
            sent = fields_of(feature, [])
            assert {name: sent[name] for name in uploaded} == uploaded
            assert sent["longitude"] == feature["geometry"]["coordinates"][0]

    def test_many_are_answered_too(self, api: TestClient, birds: str):
        rows = [nested(GENTOO), nested(CHINSTRAP), FLAT] * 30
        items = api.post(f"{birds}/predictions", json=rows).json()
        told = [item["prediction"]["species"] for item in items]
        assert told == ["Gentoo", "Chinstrap", "Gentoo"] * 30

    @pytest.mark.parametrize("form", ["NFC", "NFD"])
    def test_names_are_known_in_composed_and_decomposed_letters(
        self, api: TestClient, birds: str, form: Literal["NFC", "NFD"]
    ):
        row = {normalize(form, name): value for name, value in FLAT.items()}
        assert result_of(api.post(f"{birds}/infer", json=row).json()) == "Gentoo"

    def test_a_field_that_is_wrong_is_named_as_the_column(self, api: TestClient, birds: str):
        row = nested(GENTOO)
        row["bird"]["body_mass_g"] = "heavy"
        answer = api.post(f"{birds}/infer", json=row)
        assert answer.status_code == 422
        assert error_of(answer)["details"][0]["field"] == "bird.body_mass_g"

    def test_a_list_where_training_had_words_is_refused(self, api: TestClient, birds: str):
        answer = api.post(f"{birds}/infer", json=FLAT | {"\u00eele": ["Biscoe"]})
        assert answer.status_code == 422, answer.text

    def test_the_downloaded_model_reads_records_too(self, nested_species: Built):
        predictor = Predictor.load(nested_species.folder)
        answers = predictor.predict([nested(GENTOO), FLAT], include=["probabilities"])
        assert answers[0] == answers[1]

    def test_monitoring_counts_the_fields_of_records(self, nested_species: Built):
        watch = Watch.read(nested_species.folder)
        assert watch.count([nested(GENTOO)])["columns"] == watch.count([FLAT])["columns"]


class TestFields:
    def test_a_plain_row_is_left_as_it_is(self):
        row = {"a": 1, "b": "x"}
        assert fields_of(row, {"b"}) is row

    def test_what_is_nested_too_deep_stays(self):
        deep: Any = 1
        for _ in range(40):
            deep = {"a": deep}
        assert fields_of({"x": deep}, set())["x"] == deep

    def test_names_that_are_no_texts_are_left_to_be_refused(self):
        row: Any = {1: {"a": 2}}
        assert fields_of(row, set()) is row
