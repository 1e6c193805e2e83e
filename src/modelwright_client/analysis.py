"""Statistics, insights and charts of an upload.

A chart's address answers only to a key; it is fetched here, so that callers need no second way to
send theirs.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import refuse_misread
from modelwright_client.polling import until_made
from modelwright_client.types import AnalysisAnswer as Found
from modelwright_client.types import AnalysisCreated
from modelwright_client.types import VisualizationList as Drawn


class Analysis(Resource):
    """Statistics, insights and charts of uploads."""

    def create(
        self,
        upload_id: str,
        *,
        files: Sequence[str] | None = None,
        analysis_type: Literal["basic", "comprehensive"] | None = None,
    ) -> AnalysisCreated:
        """Starts an analysis of all files of an upload, or of those named.

        Args:
            upload_id: Id of the upload.
            files: Names of the files; all of them without it.
            analysis_type: `basic` counts; `comprehensive` finds, relates and draws as well.

        Returns:
            The job that analyses; `wait` takes its id.
        """
        refuse_misread("files", files, Sequence[str])
        body = {"upload_id": upload_id, "files": files, "analysis_type": analysis_type}
        return self._calls.post("/data/analyze", AnalysisCreated, drop_none(body))

    def read(self, job_id: str) -> Found:
        """Shows an analysis and its result.

        Args:
            job_id: Id of the job that analyses.

        Returns:
            Status, and once it is complete statistics, insights and charts by file.
        """
        return self._calls.get(path("data", "analysis", job_id), Found)

    def visualizations(self, *, limit: int | None = None, offset: int | None = None) -> Drawn:
        """Lists the charts of all analyses, newest first.

        Args:
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of charts, with the addresses of their data and thumbnails.
        """
        return self._calls.get("/data/visualization", Drawn, {"limit": limit, "offset": offset})

    def visualization(self, address: str, target: Path | str) -> Path:
        """Downloads a chart by its `data_url` or `thumbnail_url`, into a file or a folder.

        Args:
            address: The `data_url` or `thumbnail_url` of a picture.
            target: A file, or a folder to put it in.

        Returns:
            Where the file was written.
        """
        name = address.rsplit("/", 1)[-1]
        return self._calls.download(path("data", "visualization", name), Path(target), name)

    def wait(self, job_id: str, *, timeout: float | None = None) -> Found:
        """Waits for an analysis; `JobFailedError` carries the reason when it fails.

        Args:
            job_id: Id of the job that analyses.
            timeout: Seconds to wait at most; without it there is no end.

        Returns:
            The completed analysis.
        """
        return until_made(lambda: self.read(job_id), what=f"Analysis {job_id}", timeout=timeout)
