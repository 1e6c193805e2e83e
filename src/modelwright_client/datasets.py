"""Uploads of one name, seen as the versions of one dataset."""

from modelwright_client._http import Calls, path
from modelwright_client.types import DatasetsVersionList


class Datasets:
    """Verbs of the datasets room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def versions(self, dataset_name: str) -> DatasetsVersionList:
        """Lists the versions of a dataset, newest first."""
        return self._calls.get(
            path("uploads", "datasets", dataset_name, "versions"), DatasetsVersionList
        )
