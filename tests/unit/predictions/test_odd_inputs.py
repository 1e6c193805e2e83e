"""Rows as people send them: odd ones are answered or refused alone, and never move others."""

import json
from typing import Literal
from unicodedata import normalize

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.built_models import GENTOO

JSON = {"content-type": "application/json"}
EVERYTHING = "include=warnings,probabilities,interval,explanation"


def text_of(**changes: str) -> str:
    """Writes a row with members as they are given, in JSON's own spelling."""
    row = {name: json.dumps(value) for name, value in GENTOO.items()} | changes
    return "{" + ", ".join(f'"{name}": {value}' for name, value in row.items()) + "}"


REFUSED: dict[str, tuple[str, str]] = {
    "an array for a row": ("[1, 2]", ""),
    "a number for a row": ("17", ""),
    "null for a row": ("null", ""),
    "a text for a row": ('"Gentoo"', ""),
    "an object without a field": ("{}", "island"),
    "a text for a number": (text_of(body_mass_g='"4500"'), "body_mass_g"),
    "a boolean for a number": (text_of(body_mass_g="true"), "body_mass_g"),
    "a fraction for a whole number": (text_of(body_mass_g="4500.5"), "body_mass_g"),
    "a number for a text": (text_of(island="5"), "island"),
    "an array for a number": (text_of(bill_length_mm="[46.1]"), "bill_length_mm"),
    "an object for a number": (text_of(bill_length_mm='{"mm": 46.1}'), "bill_length_mm"),
    "an empty object for a text": (text_of(island="{}"), "island"),
    "a number of 400 digits": (text_of(body_mass_g="9" * 400), "body_mass_g"),
    "an object far too deep": (text_of(island='{"a":' * 60 + "1" + "}" * 60), "island"),
}
ANSWERED: dict[str, tuple[str, list[str]]] = {
    "a whole number written as a float": (text_of(body_mass_g="4500.0"), []),
    "a whole number written with an exponent": (text_of(body_mass_g="4.5e3"), []),
    "a very large number": (text_of(bill_length_mm="1e300"), ["bill_length_mm"]),
    "a number of 40 digits": (text_of(body_mass_g="9" * 40), ["body_mass_g"]),
    "minus nothing": (text_of(bill_length_mm="-0.0"), ["bill_length_mm"]),
    "a text that nobody has": (text_of(island='"\\u0000\\ud83d\\ude00"'), ["island"]),
    "a very long text": (text_of(island=json.dumps("x" * 100_000)), ["island"]),
    "an empty text": (text_of(island='""'), ["island"]),
    "an unknown field that is nested": (text_of(more='{"a": {"b": [1, {"c": null}]}}'), []),
    "an unknown field with an odd name": (text_of(__class__="1"), []),
    "blanks and another case": (text_of(island='"\\u00a0BISCOE "'), []),
}


class TestOddRows:
    @pytest.mark.parametrize("name", REFUSED)
    def test_are_refused_alone_by_their_field(self, api: TestClient, penguins: str, name: str):
        text, field = REFUSED[name]
        answer = api.post(f"{penguins}/infer?{EVERYTHING}", content=text, headers=JSON)
        assert answer.status_code in {400, 422}, answer.text
        if field:
            assert error_of(answer)["details"][0]["field"] == field
        assert len(error_of(answer)["message"]) < 400

    def test_an_array_is_told_where_batches_go(self, api: TestClient, penguins: str):
        answer = api.post(f"{penguins}/infer", content=f"[{text_of()}]", headers=JSON)
        assert "an array of rows goes to `predictions`" in error_of(answer)["message"]
        batch = api.post(f"{penguins}/predictions", content=f"[[{text_of()}]]", headers=JSON)
        assert "predictions" not in error_of(batch)["message"]

    @pytest.mark.parametrize("name", ANSWERED)
    def test_are_answered_with_what_is_odd_about_them(
        self, api: TestClient, penguins: str, name: str
    ):
        text, warned = ANSWERED[name]
        answer = api.post(f"{penguins}/infer?{EVERYTHING}", content=text, headers=JSON)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert [one["field"] for one in told["warnings"]] == warned
        assert all(len(one["message"]) < 400 for one in told["warnings"])
        assert sum(told["probabilities"].values()) == pytest.approx(1)

    @pytest.mark.parametrize("query", ["errors=rows", f"errors=rows&{EVERYTHING}"])
    def test_of_a_batch_are_told_in_their_places_and_move_no_other(
        self, api: TestClient, penguins: str, query: str
    ):
        texts = [text_of(), *(one for one, _ in REFUSED.values()), text_of()]
        texts += [*(one for one, _ in ANSWERED.values()), text_of()]
        body = f"[{', '.join(texts)}]"
        answer = api.post(f"{penguins}/predictions?{query}", content=body, headers=JSON)
        assert answer.status_code == 200, answer.text
        items = answer.json()
        assert len(items) == len(texts)
        bad = range(1, 1 + len(REFUSED))
        assert [place for place, one in enumerate(items) if one["prediction"] is None] == [*bad]
        for place, (_, field) in zip(bad, REFUSED.values(), strict=True):
            (*_, detail) = items[place]["error"]["details"]
            assert detail["field"] == (f"{place}.{field}" if field else f"{place}")
            assert "request_id" not in items[place]
        for place, text in enumerate(texts):
            if place not in bad:
                alone = api.post(f"{penguins}/infer?{EVERYTHING}", content=text, headers=JSON)
                assert items[place]["prediction"] == alone.json()["result"]
                if "warnings" in items[place]:
                    assert items[place]["warnings"] == alone.json()["warnings"]
                    assert items[place]["probabilities"] == pytest.approx(
                        alone.json()["probabilities"]
                    )
        ids = [one["request_id"] for one in items if one["prediction"] is not None]
        assert len(set(ids)) == len(ids)

    @pytest.mark.parametrize(
        "body",
        [
            "[NaN]",
            "[-Infinity]",
            f"[{text_of(body_mass_g='NaN')}]",
            f"[{text_of(body_mass_g='1e999')}]",
        ],
    )
    def test_that_are_no_json_refuse_the_request(self, api: TestClient, penguins: str, body: str):
        for query in ("", "?errors=rows"):
            answer = api.post(f"{penguins}/predictions{query}", content=body, headers=JSON)
            assert answer.status_code == 400, answer.text
            assert "JSON" in error_of(answer)["message"]

    @pytest.mark.parametrize("query", ["errors=", "errors=rows&errors=rows", "errors=ROWS"])
    def test_errors_takes_its_words_alone(self, api: TestClient, penguins: str, query: str):
        answer = api.post(f"{penguins}/predictions?{query}", json=[GENTOO])
        assert answer.status_code in {200, 422}
        if answer.status_code == 422:
            assert error_of(answer)["details"][0]["field"] == "errors"

    def test_more_rows_than_a_batch_has_are_refused_whatever_is_asked(
        self, api: TestClient, penguins: str
    ):
        answer = api.post(f"{penguins}/predictions?errors=rows", json=[5] * 10_001)
        assert answer.status_code == 422
        assert "10001" in error_of(answer)["message"]


class TestDecomposedLetters:
    @pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
    def test_of_a_value_are_the_letters_that_training_had(
        self, api: TestClient, cafes: str, form: Literal["NFC", "NFD"]
    ):
        row = {"ort": normalize(form, "Café Zürich"), "größe": 3.0}
        told = api.post(f"{cafes}/infer?{EVERYTHING}", json=row).json()
        right = api.post(f"{cafes}/infer?{EVERYTHING}", json={"ort": "Café Zürich", "größe": 3.0})
        assert told["probabilities"] == right.json()["probabilities"]
        assert told["warnings"] == []

    def test_of_names_and_values_in_a_batch(self, api: TestClient, cafes: str):
        rows = [
            {normalize(form, name): normalize(form, value) if isinstance(value, str) else value
             for name, value in {"ort": "Café Zürich", "größe": 3.0}.items()}
            for form in ("NFC", "NFD")
        ]  # fmt: skip
        items = api.post(f"{cafes}/predictions?include=probabilities,warnings", json=rows).json()
        assert items[0]["probabilities"] == items[1]["probabilities"]
        assert [one["warnings"] for one in items] == [[], []]
