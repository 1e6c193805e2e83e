"""The words of an analysis, what is known of one and of its pictures, and how long one takes.

Pictures are served under names that clients keep; whoever makes and whoever reads such a name takes
it from here, so that no other file of the storage can be asked for.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

SECONDS_PER_FILE = 3.0
"""Time that a file takes however small it is: its process starts and draws charts."""
BYTES_PER_SECOND = 25_000_000
"""How fast a file is analysed at the least on two cores; estimates stand on it."""
_FILENAME = re.compile(r"(vis_[0-9a-f]{32})\.(json|png)")


class Status(StrEnum):
    """The contract's words, and `failed`."""

    PENDING = "pending"
    COMPLETED = "completed"
    FAILED = "failed"


class AnalysisType(StrEnum):
    """How thorough the analysis is."""

    BASIC = "basic"
    COMPREHENSIVE = "comprehensive"


class MediaFormat(StrEnum):
    """What a visualization can be had as, by the ending of its address."""

    DATA = "json"
    THUMBNAIL = "png"

    @property
    def content_type(self) -> str:
        """The MIME type."""
        return "application/json" if self is MediaFormat.DATA else "image/png"


@dataclass(frozen=True, slots=True)
class Subject:
    """A file to be analysed: its name, where its table is stored, and its size as it came."""

    filename: str
    key: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class AnalysisInfo:
    """What is known of an analysis; `key` is where its results are stored."""

    analysis_id: str
    job_id: str
    upload_id: str
    status: Status
    type: AnalysisType
    subjects: tuple[Subject, ...]
    key: str | None
    created_at: datetime
    estimated_completion: datetime
    completed_at: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class NamedPicture:
    """A picture that was asked for by its file's name, and where it lies."""

    filename: str
    key: str
    medium: MediaFormat


@dataclass(frozen=True, slots=True)
class VisualizationInfo:
    """What is known of a picture."""

    visualization_id: str
    job_id: str
    upload_id: str
    filename: str
    """The file it is about."""
    type: str
    title: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class FoundAnalysis:
    """What came of an analysis, as it is stored: contract-shaped, pictures by their ids."""

    files: list[dict[str, Any]]
    recommendations: list[dict[str, Any]]


def estimated_time(subjects: tuple[Subject, ...]) -> timedelta:
    """Estimates how long an analysis takes."""
    size = sum(one.size_bytes for one in subjects)
    return timedelta(seconds=SECONDS_PER_FILE * len(subjects) + size / BYTES_PER_SECOND)


def format_name(visualization_id: str, medium: MediaFormat) -> str:
    """Names the last part of a visualization's address."""
    return f"{visualization_id}.{medium}"


def parse_name(filename: str) -> tuple[str, MediaFormat] | None:
    """Reads the last part of a visualization's address; None where it is none."""
    found = _FILENAME.fullmatch(filename)
    return (found[1], MediaFormat(found[2])) if found else None
