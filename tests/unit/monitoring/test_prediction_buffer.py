"""Much that was noted is counted and packed in parts, and whoever asks goes between them."""

import time

import msgspec
import numpy as np
import pytest
from tests.built_models import Built
from tests.unit.monitoring.test_monitoring_api import some

from modelwright.core.ids import new_id
from modelwright.engines.automl.monitoring import online_counts
from modelwright.engines.automl.monitoring.online_counts import Watch
from modelwright.monitoring import prediction_buffer
from modelwright.monitoring.domain import FeedbackKey, NotedRequest
from modelwright.monitoring.packing import pack, unpack
from modelwright.monitoring.prediction_buffer import counted


def asked(count: int) -> list[NotedRequest]:
    """Requests for one row each, as objects and as bodies in turn."""
    told, link = np.zeros(1, dtype=np.int64), np.zeros((1, 3))
    given = [
        {"rows": [row]} if place % 2 else {"body": msgspec.json.encode(row)}
        for place, row in enumerate(some(count))
    ]
    return [NotedRequest("a", "v", "artifact", new_id("req"), told, link, **one) for one in given]


class TestParts:
    @pytest.fixture
    def rests(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        slept: list[float] = []
        monkeypatch.setattr(prediction_buffer, "REQUESTS_AT_ONCE", 40)
        monkeypatch.setattr(time, "sleep", slept.append)
        return slept

    def test_counts_are_those_of_all_rows_together(self, species: Built, rests: list[float]):
        watch = Watch.read(species.folder)
        counts = counted(watch, asked(130))
        assert counts == {**watch.count(some(130)), "told": [130, 0, 0]}
        assert rests == [prediction_buffer.REST_SECONDS] * 3

    def test_every_request_is_packed(self, rests: list[float]):
        noted = asked(90)
        packed = pack(noted)
        assert packed is not None
        assert packed.rows == 90
        found = [key for key, _ in unpack(packed.content)]
        assert found == [FeedbackKey.of(one.request_id).key for one in noted]  # type: ignore[union-attr]
        assert rests == [prediction_buffer.REST_SECONDS] * 2

    def test_of_very_many_rows_a_part_is_read(
        self, species: Built, rests: list[float], monkeypatch: pytest.MonkeyPatch
    ):
        watch = Watch.read(species.folder)
        monkeypatch.setattr(online_counts, "MAX_CELLS", 40 * len(watch.columns))
        broken = [one._replace(body=b"{") if one.body else one for one in asked(100)[1:]]
        counts = counted(watch, broken)
        assert counts["examined"] == 50
        assert counts["told"] == [99, 0, 0]

    def test_few_are_not_kept_waiting(self, species: Built, rests: list[float]):
        counted(Watch.read(species.folder), asked(40))
        assert rests == []
