"""Statistics, insights and charts of an upload."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from modelwright_client._http import Calls, given, path
from modelwright_client.polling import until_made
from modelwright_client.types import AnalysisAnswer as Found
from modelwright_client.types import AnalysisCreated
from modelwright_client.types import VisualizationList as Drawn


class Analysis:
    """Verbs of the analysis room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self,
        upload_id: str,
        *,
        files: Sequence[str] | None = None,
        analysis_type: Literal["basic", "comprehensive"] | None = None,
    ) -> AnalysisCreated:
        """Starts an analysis of all files of an upload, or of those named."""
        body = {"upload_id": upload_id, "files": files, "analysis_type": analysis_type}
        return self._calls.post("/data/analyze", AnalysisCreated, given(body))

    def read(self, job_id: str) -> Found:
        """Shows what an analysis has found."""
        return self._calls.get(path("data", "analysis", job_id), Found)

    def visualizations(self, *, limit: int | None = None, offset: int | None = None) -> Drawn:
        """Lists the pictures of all analyses, newest first."""
        return self._calls.get("/data/visualization", Drawn, {"limit": limit, "offset": offset})

    def visualization(self, address: str, target: Path | str) -> Path:
        """Fetches a picture by its `data_url` or `thumbnail_url`, into a file or a folder."""
        name = address.rsplit("/", 1)[-1]
        return self._calls.download(path("data", "visualization", name), Path(target), name)

    def wait(self, job_id: str, *, timeout: float | None = None) -> Found:
        """Waits for the findings; `FailedError` carries the reason when there are none."""
        return until_made(lambda: self.read(job_id), what=f"Analysis {job_id}", timeout=timeout)
