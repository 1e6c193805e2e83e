"""What scoring is asked and what it answers."""

from typing import Literal

from pydantic import Field

from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp
from modelwright.exports.domain import ExportInfo, Format
from modelwright.predictions.domain import Include


class ScoreUpload(RequestBody):
    """Asks for predictions of every row of an upload."""

    upload_id: Text
    format: Literal["csv", "json", "parquet"] = "csv"
    """What the files are written as."""
    include: list[Literal["probabilities", "interval", "explanation"]] = Field(
        default_factory=list, max_length=3
    )
    """What to add beside the prediction, in columns of their own."""

    def wanted(self) -> Format:
        """Returns the format."""
        return Format(self.format)

    def extras(self) -> list[Include]:
        """Gives what is to be included, each once."""
        return [Include(word) for word in sorted(set(self.include))]


class ScoringStarted(ResponseBody):
    """The job that scores, and the export that its files will be in."""

    job_id: str
    export_id: str
    """`GET /data/export/{export_id}` gives the files' addresses once it is completed."""
    status: str
    """`processing`."""
    model_name: str
    model_version: str
    upload_id: str
    format: str | None
    created_at: Timestamp
    estimated_completion: Timestamp

    @classmethod
    def of(cls, export: ExportInfo, model_name: str, model_version: str) -> "ScoringStarted":
        """Shows what was started."""
        return cls.showing(export, model_name=model_name, model_version=model_version)
