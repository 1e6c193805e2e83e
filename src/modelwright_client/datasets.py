"""Uploads of one name, seen as the versions of one dataset."""

from modelwright_client._http import HttpTransport, path
from modelwright_client.types import DatasetsVersionList


class Datasets:
    """Uploads of one name, as versions of one dataset."""

    def __init__(self, calls: HttpTransport) -> None:
        self._calls = calls

    def versions(self, dataset_name: str) -> DatasetsVersionList:
        """Lists the versions of a dataset, newest first.

        Args:
            dataset_name: Name of the dataset.

        Returns:
            Version labels, each with its upload and status.
        """
        return self._calls.get(
            path("uploads", "datasets", dataset_name, "versions"), DatasetsVersionList
        )
