"""Questions keep the digits that no double holds: an answer is of the row that was asked for."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

ACCOUNTS = "account,amount\n9007199254740992,20\n9007199254740993,10\n9007199254740994,30\n"
QUESTIONS = [
    ("amount of account 9007199254740993", [[10]]),
    ("how many rows where account is more than 9007199254740993", [[1]]),
    ("how many rows where account is at least 9007199254740993", [[2]]),
    (
        "how many rows where account is between 9007199254740993 and 9007199254740994",
        [[2]],
    ),
]


@pytest.mark.parametrize(("question", "right"), QUESTIONS)
def test_numbers_beyond_doubles_are_those_that_were_written(
    api: TestClient, model_side: ModelSide, question: str, right: list[Any]
):
    upload_id = model_side.upload(ACCOUNTS)
    api.post("/data/sessions", json={"upload_id": upload_id})
    asked = {"query_type": "natural_language", "query": question}
    told = api.post("/data/query", json=asked).json()
    assert told.get("rows") == right, told
