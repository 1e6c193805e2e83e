"""What a dataset's tables and columns mean: inferred, and corrected by people."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import refuse_misread
from modelwright_client.types import CatalogAnswer, MetricPatch, TablePatch


class Catalog(Resource):
    """Catalogs: what tables and columns mean, for questions in words."""

    def read(self, dataset_name: str) -> CatalogAnswer:
        """Shows what was inferred of a dataset, why, and what was corrected.

        Args:
            dataset_name: Name of the dataset, `name@v1.2` or the id of an upload.

        Returns:
            The catalog.
        """
        return self._calls.get(path("data", "catalog", dataset_name), CatalogAnswer)

    def update(
        self,
        dataset_name: str,
        *,
        tables: Mapping[str, TablePatch | None] | None = None,
        metrics: Mapping[str, MetricPatch | Literal["none"] | None] | None = None,
        time_zone: str | None = None,
        first_day_of_week: int | None = None,
        first_month_of_fiscal_year: int | None = None,
        take_back: Sequence[str] | None = None,
    ) -> CatalogAnswer:
        """Corrects a dataset's catalog; what is not named stays as it is.

        Args:
            dataset_name: Name of the dataset.
            tables: What tables and columns mean, by their names; None takes a correction back.
            metrics: Named aggregates, by their names; None takes one back, `"none"` rejects an
                inferred one.
            time_zone: In which days and months are told, for example `Europe/Berlin`.
            first_day_of_week: 1 is Monday, 7 is Sunday.
            first_month_of_fiscal_year: 1 to 12.
            take_back: Of the members above, those whose corrections are taken back as a whole.

        Returns:
            The catalog as it is then.

        Raises:
            ValidationError: A correction cannot be kept; the message names the member.
        """
        refuse_misread("tables", tables, Mapping[str, TablePatch | None])
        refuse_misread("metrics", metrics, Mapping[str, MetricPatch | Literal["none"] | None])
        refuse_misread("take_back", take_back, Sequence[str])
        said: dict[str, Any] = {
            "tables": tables,
            "metrics": metrics,
            "time_zone": time_zone,
            "first_day_of_week": first_day_of_week,
            "first_month_of_fiscal_year": first_month_of_fiscal_year,
        }
        body = drop_none(said) | dict.fromkeys(take_back or (), None)
        return self._calls.patch(path("data", "catalog", dataset_name), CatalogAnswer, body)
