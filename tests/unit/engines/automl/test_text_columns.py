"""Texts whose class no word tells, but how they are written does."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet, table
from tests.unit.engines.automl.conftest import Built, build, rows_of

from modelwright.engines.automl.estimators.fold_data import CHARACTER_US, READING_US
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.scoring import Scorer
from modelwright.engines.automl.search.training_data import read_training_data
from modelwright_runtime import WITH_COUNTS
from modelwright_runtime.predictor import Predictor
from modelwright_runtime.text_features import Vocabulary

ROWS = 400
MAKER = np.random.default_rng(3)


def written(offer: bool) -> str:
    """Gives three words of their own, of as many characters; an offer's have digits."""
    signs = [*("0123456789" if offer else "abcdefghij")]
    return " ".join("".join(MAKER.choice(signs, 9)) for _ in range(3))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("texts")
    offer = np.arange(ROWS) % 2 == 0
    said = [f"to {written(one)}" for one in offer.tolist()]
    path = folder / "texts.parquet"
    parquet.write_table(table({"said": said, "y": np.where(offer, "offer", "plain")}), path)
    return path, folder / "model", build(path, folder / "model", max_iterations=2)


def test_are_told_apart_by_what_they_count(built: Built):
    assert built[2].metrics["log_loss"] < 0.1


def test_are_scored_as_they_are_answered(built: Built):
    found = Predictor.load(built[1])
    assert found.manifest["format"] == WITH_COUNTS
    rows = rows_of(built[0], 50)
    told = [one.result["y"] for one in found.predict_many(rows)]
    batch = parquet.read_table(built[0]).slice(0, 50).to_batches()[0]
    assert dict(Scorer(found).score(batch, 0))["prediction"].to_pylist() == told
    assert [found.predict_one(row).result["y"] for row in rows] == told


def test_are_priced_by_their_characters(tmp_path: Path):
    priced, lengths = [], []
    for words in (3, 30):
        said = [" ".join(written(offer=False) for _ in range(words)) for _ in range(ROWS)]
        columns = {"size": MAKER.normal(size=ROWS), "said": said, "y": np.arange(ROWS) % 2}
        parquet.write_table(table(columns), tmp_path / f"{words}.parquet")
        path = [tmp_path / f"{words}.parquet"]
        training = read_training_data(path, make_plan(path, "", target="y", seconds=10))
        training.fit_encoder(np.arange(ROWS))
        priced.append(training.fold_data(0, np.arange(ROWS)).reading())
        lengths.append(np.mean([*map(len, said)]))
    each = READING_US["number"] + READING_US["text"]
    assert priced[0] == pytest.approx(each + CHARACTER_US * lengths[0], rel=0.01)
    assert priced[1] - priced[0] == pytest.approx(
        CHARACTER_US * (lengths[1] - lengths[0]), rel=0.01
    )


def test_are_read_once_for_slots_and_for_what_their_terms_add(
    built: Built, monkeypatch: pytest.MonkeyPatch
):
    found, read = Predictor.load(built[1]), []
    weigh = Vocabulary.weigh

    def counted(words: Vocabulary, text: str) -> Any:
        read.append(text)
        return weigh(words, text)

    monkeypatch.setattr(Vocabulary, "weigh", counted)
    rows = rows_of(built[0], 3)
    found.answer_many_plain(rows)
    encoded = found.encode_plain(rows[0])
    assert encoded is not None
    found.answer_encoded([encoded])
    found.answer_one(rows[0])
    assert read == [row["said"] for row in [*rows, rows[0], rows[0]]]
