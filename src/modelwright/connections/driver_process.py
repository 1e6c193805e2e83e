"""What child processes do with a stored database: open it, list its tables, read from it.

Passwords come here over a pipe and go nowhere else: whatever is raised is cleared of them.
"""

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from modelwright.connections import addresses
from modelwright.connections.database_reader import DatabaseReader
from modelwright.connections.drivers.registry import DRIVERS
from modelwright.connections.parquet_writer import Payload, write
from modelwright.connections.refusals import unreachable
from modelwright.jobs.errors import JobRefused

Report = Callable[[dict[str, Any]], None]
SHORT_CHARACTERS = 6
"""A shorter password may be a part of any word."""
HIDDEN = "***"
HALF_WAY_ROWS = 1_000_000
"""Rows at which the progress stands in the middle, as nobody knows how many there are."""


def probe(payload: Payload, _report: Report) -> dict[str, Any]:
    """Opens a database and closes it again; refuses with the driver's reason."""
    with _odd_is_refused(payload), _opened(payload):
        return {}


def tables(payload: Payload, _report: Report) -> dict[str, Any]:
    """Lists one page of a database's tables, and how many there are."""
    with _odd_is_refused(payload), _opened(payload) as source:
        found = source.tables()
    start, end = payload["offset"], payload["offset"] + payload["limit"]
    shown = [{"name": one.name, **asdict(one)} for one in found[start:end]]
    return {"tables": shown, "total": len(found)}


def ingest(payload: Payload, report: Report) -> dict[str, Any]:
    """Reads a table or a query's result into a Parquet file; returns the number of rows."""

    def tell(rows: int) -> None:
        percent = 5 + 85 * rows // (rows + HALF_WAY_ROWS)
        report({"percent": percent, "stage": f"{rows:,} rows read"})

    with _opened(payload) as source:
        table, query = payload["table"], payload["query"]
        rows = source.query(query) if table is None else source.table(table)
        return {"rows": write(rows, Path(payload["target"]), payload["most_bytes"], tell)}


@contextmanager
def _odd_is_refused(payload: Payload) -> Iterator[None]:
    """Refuses what answers in a way that its driver does not foresee: it is no such database."""
    try:
        yield
    except RuntimeError as fault:
        reason = str(fault).strip().splitlines()[-1]
        raise unreachable(
            f"What is there does not answer as {payload['type']} does: {reason}"
        ) from None


@contextmanager
def _opened(payload: Payload) -> Iterator[DatabaseReader]:
    try:
        with closing(_open(payload)) as source:
            yield source
    except JobRefused as refused:
        reason = {**refused.reason, "message": clear_of(refused.reason["message"], payload)}
        raise JobRefused(reason) from None
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - drivers may raise anything, and say anything in it
        raise RuntimeError(clear_of(traceback.format_exc(), payload)) from None


def _open(payload: Payload) -> DatabaseReader:
    driver = DRIVERS[payload["type"]]
    where: list[str] = []
    if not driver.is_file:
        where = addresses.resolve_allowed(payload["host"], payload["port"], payload["hosts"])
    source: DatabaseReader = driver.load()(payload, where)
    return source


def clear_of(text: str, payload: Payload) -> str:
    """Hides a password in what a driver or server says.

    One that looks like a word, or like what is told of the connection anyway, is hidden only
    where it stands by itself in quotes or behind a sign: elsewhere the word is the sentence's own,
    and hiding it would tell that it is the password.
    """
    secret = payload["password"]
    if not secret:
        return text
    told = {str(payload.get(name) or "") for name in ("host", "port", "database", "username")}
    is_word = secret.isalpha() or len(secret) < SHORT_CHARACTERS
    if is_word or any(secret in one for one in told):
        alone = rf"(?<=['\"=:`]){re.escape(secret)}(?=['\"`,;\s]|$)"
        return text if secret in told else re.sub(alone, HIDDEN, text)
    return text.replace(secret, HIDDEN)
