"""The warm executors of all sessions: a bounded number of children, the least used one yields."""

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Condition, Event
from time import monotonic

from modelwright.engines.facts import UTC
from modelwright.engines.sql.executor import PreviewRequest, QueryExecutor, Rows
from modelwright.engines.sql.failures import Busy
from modelwright.engines.sql.fork_server_client import ForkServerClient


class Pool:
    """Runs queries by session with at most `size` children alive. Thread-safe.

    Each child has `memory_bytes`, `threads`, an empty folder under `homes`, and ends after
    `idle_seconds` without a query. `reserved` children may be alive beside them, for owners whose
    sessions have none at work. `most_of` tells how many of its sessions an owner may have at work.
    """

    def __init__(
        self,
        *,
        size: int,
        memory_bytes: int,
        homes: Path,
        threads: int = 2,
        idle_seconds: float = 600.0,
        reserved: int = 0,
        waiting: int = 8,
        most_of: Callable[[str], int] | None = None,
    ) -> None:
        self.size = size
        self.reserved = reserved
        self.waiting = waiting
        self._most_of = most_of or (lambda _owner: size)
        self.memory_bytes = memory_bytes
        self.homes = homes
        self.threads = threads
        self.idle_seconds = idle_seconds
        self._fork_server = ForkServerClient()
        self._changed = Condition()
        self._executors: dict[str, QueryExecutor] = {}
        self._running: dict[str, int] = {}
        self._owners: dict[str, str] = {}

    def run(
        self,
        session: str,
        tables: Mapping[str, Path],
        sql: str,
        *,
        max_rows: int,
        max_bytes: int,
        seconds: float,
        cancelled: Event | None = None,
        owner: str = "",
        time_zone: str = UTC,
    ) -> Rows:
        """Runs one query of a session.

        The sessions of one `owner` never have all children at work, so that others find one.

        Args:
            session: Id of the session.
            tables: Its Parquet files by the name of the table.
            sql: The statement, not trusted.
            max_rows: Rows at most.
            max_bytes: Bytes of JSON at most.
            seconds: The time that it has, waiting included.
            cancelled: Stops the query when set.
            owner: Whose session it is; none has all children.
            time_zone: The zone of the days and months of moments.

        Returns:
            The rows.

        Raises:
            QueryFailed: As `Executor.run`; `Busy` too when all children that it may have are at
                work.
        """
        deadline = monotonic() + seconds
        with self._admitted(session, tables, deadline, owner) as executor:
            return executor.run(
                sql,
                max_rows=max_rows,
                max_bytes=max_bytes,
                seconds=deadline - monotonic(),
                cancelled=cancelled,
                time_zone=time_zone,
            )

    def preview(
        self,
        session: str,
        tables: Mapping[str, Path],
        wanted: PreviewRequest,
        *,
        max_bytes: int,
        seconds: float,
        owner: str,
    ) -> Rows:
        """Reads some rows of the only table of a session.

        Args:
            session: Id of the session.
            tables: Its Parquet file by the name of the table.
            wanted: Which rows, and in which form.
            max_bytes: Bytes of JSON at most.
            seconds: The time that it has, waiting included.
            owner: Whose session it is.

        Returns:
            The rows.

        Raises:
            QueryFailed: As `run` does.
        """
        deadline = monotonic() + seconds
        with self._admitted(session, tables, deadline, owner) as executor:
            return executor.preview(wanted, max_bytes=max_bytes, seconds=deadline - monotonic())

    @contextmanager
    def _admitted(
        self, session: str, tables: Mapping[str, Path], deadline: float, owner: str
    ) -> Iterator[QueryExecutor]:
        executor = self._admit(session, tables, deadline, owner)
        try:
            yield executor
        finally:
            with self._changed:
                self._running[session] -= 1
                if not self._running[session]:
                    del self._running[session]
                    self._owners.pop(session, None)
                    if len(self._executors) > self.size and self._executors.get(session):
                        self._drop(session)  # it was beside the others
                self._changed.notify_all()

    def end(self, session: str) -> None:
        """Releases what a session holds; a query that is running fails as `Cancelled`.

        Args:
            session: Id of the session.
        """
        with self._changed:
            executor = self._executors.pop(session, None)
        if executor:
            executor.close()
        shutil.rmtree(self._home(session), ignore_errors=True)

    def sweep(self, keep: Collection[str], before: float) -> None:
        """Removes the folders of sessions that are gone, also of other processes.

        Args:
            keep: Ids of sessions whose folders stay.
            before: Only folders not changed since then, in seconds since 1970: a session may have
                begun meanwhile.
        """
        kept = {self._home(session) for session in keep}
        for home in self.homes.glob("*"):
            with suppress(FileNotFoundError):
                if home not in kept and home.stat().st_ctime < before:
                    shutil.rmtree(home, ignore_errors=True)

    def close(self) -> None:
        """End all children."""
        for session in list(self._executors):
            self.end(session)
        self._fork_server.close()

    @property
    def alive(self) -> int:
        """How many children are alive."""
        return sum(executor.pid is not None for executor in self._executors.values())

    def _admit(
        self, session: str, tables: Mapping[str, Path], deadline: float, owner: str
    ) -> QueryExecutor:
        with self._changed:
            while self._has_enough(owner, session) or not self._has_room(session, owner):
                if not self._changed.wait(deadline - monotonic()):
                    raise Busy("All query processes are at work; try again in a moment.")
            executor = self._executors.pop(session, None) or self._executor(session, tables)
            self._executors[session] = executor
            self._running[session] = self._running.get(session, 0) + 1
            if owner:
                self._owners[session] = owner
            return executor

    def _has_enough(self, owner: str, session: str) -> bool:
        others = [one for one, whose in self._owners.items() if whose == owner and one != session]
        return len(others) >= min(self._most_of(owner), max(1, self.size - 1))

    def _has_room(self, session: str, owner: str) -> bool:
        """Forget the dead; if too many are alive, let the one unused for longest go."""
        for name, executor in list(self._executors.items()):
            if not self._running.get(name) and executor.pid is None:
                self._drop(name)
        if session in self._executors or len(self._executors) < self.size:
            return True
        idle = next((name for name in self._executors if not self._running.get(name)), None)
        if idle is not None:
            self._drop(idle)
            return True
        is_new = bool(owner) and owner not in self._owners.values()
        return is_new and len(self._executors) < self.size + self.reserved

    def _drop(self, session: str) -> None:
        """End a child that is idle; the session's next query starts another."""
        self._executors.pop(session).stop_child()
        shutil.rmtree(self._home(session), ignore_errors=True)

    def _executor(self, session: str, tables: Mapping[str, Path]) -> QueryExecutor:
        return QueryExecutor(
            tables,
            memory_bytes=self.memory_bytes,
            home=self._home(session),
            fork_server=self._fork_server,
            threads=self.threads,
            idle_seconds=self.idle_seconds,
            waiting=self.waiting,
        )

    def _home(self, session: str) -> Path:
        return self.homes / sha256(session.encode()).hexdigest()[:32]
