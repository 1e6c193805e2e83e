"""What a plan says of itself, in plain words."""

from typing import Any

from modelwright.engines.automl.planning.explanations import MEANINGS, reasons
from modelwright.engines.automl.planning.plan import METRICS


class TestReasons:
    def test_every_metric_has_a_meaning(self):
        assert set(MEANINGS) == {one for names in METRICS.values() for one in names}

    def test_they_say_what_counts_and_what_it_learns_from(self):
        assert reasons("mae", ["age"], {"age": "number"}) == [
            "Models are compared by how far off they are on average (mae).",
            "It learns from 1 column: 1 with numbers.",
        ]

    def test_places_are_told(self):
        kinds: dict[str, Any] = {"latitude": "number", "longitude": "number", "city": "category"}
        told = reasons("log_loss", list(kinds), kinds)
        assert told[1] == "It learns from 3 columns: 2 with numbers, 1 with categories."
        assert told[2] == "latitude and longitude are read together too, as places."
