"""Uploads of one name, seen as the versions of one dataset."""

from modelwright_client._http import Resource, path
from modelwright_client.types import DatasetsVersionList


class Datasets(Resource):
    """Uploads of one name, as versions of one dataset."""

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
