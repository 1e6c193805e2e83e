"""How what a version is asked differs from its training, and how right it turned out to be."""

from collections.abc import Mapping
from typing import Any

from modelwright_client._http import Resource, path
from modelwright_client.errors import MisreadError
from modelwright_client.types import FeedbackTaken, Monitored


class Monitoring(Resource):
    """Drift and live accuracy of versions."""

    def read(
        self, model_name: str, model_version: str, *, window_hours: int | None = None
    ) -> Monitored:
        """Compares the last hours (24) with training; `moved` names the columns that drifted.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.
            window_hours: How many hours to look back; 24 unless said.

        Returns:
            The drift of inputs and predictions (PSI), and metrics by recorded outcomes.
        """
        where = path("models", model_name, model_version, "monitoring")
        return self._calls.get(where, Monitored, {"window_hours": window_hours})

    def feedback(
        self, model_name: str, model_version: str, truths: Mapping[str, Any]
    ) -> FeedbackTaken:
        """Records actual outcomes, by request id; up to 10,000 at a time.

        Each prediction is known by its own `request_id`, rows of a batch too. Told again, the last
        word holds. `unknown` names those that belong to no prediction.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.
            truths: The actual outcomes, by the `request_id` of their predictions.

        Returns:
            How many outcomes were recorded, and the request ids that are not known.

        Raises:
            MisreadError: The truths are no mapping.
        """
        if not isinstance(truths, Mapping):
            kind = type(truths).__name__
            raise MisreadError(f"truths must map each request_id to what is so, not be a {kind}")
        body = [
            {"request_id": request_id, "actual": actual} for request_id, actual in truths.items()
        ]
        where = path("models", model_name, model_version, "feedback")
        return self._calls.post(where, FeedbackTaken, body)
