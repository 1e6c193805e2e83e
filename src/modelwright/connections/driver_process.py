"""What child processes do with a stored database: open it, list its tables, read from it.

Passwords come here over a pipe and go nowhere else: whatever is raised is cleared of them.
"""

import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from modelwright.connections import addresses
from modelwright.connections.domain import FoundTable, Type
from modelwright.connections.parquet_writer import Payload, Rows, write
from modelwright.jobs.errors import Refused

Report = Callable[[dict[str, Any]], None]
HALF_WAY_ROWS = 1_000_000


class Source(Protocol):
    """An open database."""

    def tables(self) -> list[FoundTable]:
        """Lists what can be read."""

    def table(self, name: str) -> Rows:
        """Reads a table; refuses one that is not there."""

    def query(self, query: str) -> Rows:
        """Reads a query's result; refuses what the database refuses."""

    def close(self) -> None:
        """Ends the connection."""


def probe(payload: Payload, _report: Report) -> dict[str, Any]:
    """Opens a database and closes it again; refuses with the driver's reason."""
    with _opened(payload):
        return {}


def tables(payload: Payload, _report: Report) -> dict[str, Any]:
    """Lists one page of a database's tables, and how many there are."""
    with _opened(payload) as source:
        found = source.tables()
    start, end = payload["offset"], payload["offset"] + payload["limit"]
    shown = [{"name": one.name, **asdict(one)} for one in found[start:end]]
    return {"tables": shown, "total": len(found)}


def bring_in(payload: Payload, report: Report) -> dict[str, Any]:
    """Reads a table or a query's result into a Parquet file; returns the number of rows."""

    def tell(rows: int) -> None:
        percent = 5 + 85 * rows // (rows + HALF_WAY_ROWS)
        report({"percent": percent, "stage": f"{rows:,} rows read"})

    with _opened(payload) as source:
        table, query = payload["table"], payload["query"]
        rows = source.query(query) if table is None else source.table(table)
        return {"rows": write(rows, Path(payload["target"]), payload["most_bytes"], tell)}


@contextmanager
def _opened(payload: Payload) -> Iterator[Source]:
    secret = payload["password"]
    try:
        with closing(_open(payload)) as source:
            yield source
    except Refused as refused:
        reason = {**refused.reason, "message": _clear(refused.reason["message"], secret)}
        raise Refused(reason) from None
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - drivers may raise anything, and say anything in it
        raise RuntimeError(_clear(traceback.format_exc(), secret)) from None


def _open(payload: Payload) -> Source:
    kind = Type(payload["type"])
    if kind is Type.SQLITE:
        from modelwright.connections.drivers.sqlite import Sqlite  # noqa: PLC0415 - one driver a child

        return Sqlite(payload)
    where = addresses.settled(payload["host"], payload["port"], payload["hosts"])
    if kind is Type.MYSQL:
        from modelwright.connections.drivers.mysql import MySql  # noqa: PLC0415 - as above

        return MySql(payload, where, payload["seconds"])
    from modelwright.connections.drivers.postgresql import Postgres  # noqa: PLC0415 - as above

    return Postgres(payload, where, payload["seconds"])


def _clear(text: str, secret: str | None) -> str:
    return text.replace(secret, "***") if secret else text
