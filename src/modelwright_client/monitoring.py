"""How what a version is asked differs from its training, and how right it turned out to be."""

from collections.abc import Mapping
from typing import Any

from modelwright_client._http import Calls, path
from modelwright_client.types import FeedbackTaken, Monitored


class Monitoring:
    """Verbs of the monitoring room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def read(
        self, model_name: str, model_version: str, *, window_hours: int | None = None
    ) -> Monitored:
        """Compares the last hours (24) with training; `moved` names what is no longer as it was."""
        where = path("models", model_name, model_version, "monitoring")
        return self._calls.get(where, Monitored, {"window_hours": window_hours})

    def feedback(
        self, model_name: str, model_version: str, truths: Mapping[str, Any]
    ) -> FeedbackTaken:
        """Tells what turned out to be so, by request id; up to 10,000 at a time.

        Each prediction is known by its own `request_id`, rows of a batch too. Told again, the last
        word holds. `unknown` names those that belong to no prediction.
        """
        body = [
            {"request_id": request_id, "actual": actual} for request_id, actual in truths.items()
        ]
        where = path("models", model_name, model_version, "feedback")
        return self._calls.post(where, FeedbackTaken, body)
