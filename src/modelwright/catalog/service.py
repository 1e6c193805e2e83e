"""`Catalogs`: what was inferred of datasets, corrected by people and taught by questions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from modelwright.catalog import repository
from modelwright.catalog.domain import (
    MAX_CORRECTIONS_BYTES,
    CatalogInfo,
    Json,
    KnownDataset,
    carried_over,
    merged,
    without_nulls,
)
from modelwright.catalog.errors import TablesNotRead, TooManyCorrections, UnfitCorrection
from modelwright.catalog.inference import PROFILE_SECONDS, Inference, InferredTables
from modelwright.catalog.orm import CatalogRecord, SynonymRecord
from modelwright.core.clock import Clock
from modelwright.core.db.queries import insert_if_absent
from modelwright.core.errors import ApiError
from modelwright.core.events import Events
from modelwright.core.logging import logger
from modelwright.datasets.domain import ResolvedDataset
from modelwright.datasets.service import Datasets
from modelwright.engines.language.catalog.corrections import (
    DatasetTeaching,
    corrected,
    read_corrections,
)
from modelwright.engines.language.catalog.meaning import Calendar
from modelwright.engines.language.table_profile import Run
from modelwright.engines.sql.executor import BoundedStatement, Rows
from modelwright.engines.sql.failures import QueryFailed
from modelwright.sessions.domain import SessionInfo, SessionTable, dataset_of, table_names
from modelwright.sessions.service import Sessions
from modelwright.uploads.domain import UploadDeleted

if TYPE_CHECKING:
    from modelwright.engines.language.bindings import Binding

Tables = dict[str, dict[str, str]]


@dataclass(eq=False)
class Catalogs:
    """Shows what a dataset's tables and columns mean, and takes corrections."""

    clock: Clock
    datasets: Datasets
    sessions: Sessions
    events: Events

    def __post_init__(self) -> None:
        self._inference = Inference()
        self.events.listen(UploadDeleted, self._forget)

    def read(self, db: Session, dataset_name: str, account_id: str) -> KnownDataset:
        """Finds a dataset and what is said of it; `show` completes it outside the transaction.

        Refuses, naming the field, what is not the caller's, and what is not complete.
        """
        version = self.datasets.resolve(db, dataset_name, "dataset_name")
        dataset = _dataset(version)
        said = next(iter(repository.find(db, [dataset])), None)
        names = table_names(table.filename for table in version.tables)
        corrections = carried_over(said.corrections if said else {}, names)
        learnt = tuple(row.to_info() for row in repository.synonyms(db, [dataset]))
        teaching = DatasetTeaching(
            version.dataset_name,
            read_corrections(corrections),
            {name: name for name in names},
            learnt,
        )
        return KnownDataset(account_id, version, teaching, said.updated_at if said else None)

    def correct(self, db: Session, dataset_name: str, patch: Json, account_id: str) -> KnownDataset:
        """Keeps what somebody says of a dataset; null takes a correction back.

        Refuses all of it where one member cannot be kept.
        """
        version = self.datasets.resolve(db, dataset_name, "dataset_name")
        tables = _columns(version)
        dataset = _dataset(version)
        row = repository.lock(db, dataset)
        stored = carried_over(row.corrections if row else {}, [*tables])
        whole = merged(stored, patch)
        self._check(db, patch, whole, tables)
        if row is None:
            row = CatalogRecord(dataset=dataset, corrections=whole, updated_at=self.clock.now())
            if not insert_if_absent(db, row):
                return self.correct(db, dataset_name, patch, account_id)
        row.corrections, row.updated_at = whole, self.clock.now()
        db.flush()
        logger().info("catalog.corrected", dataset=dataset)
        return self.read(db, dataset_name, account_id)

    def _check(self, db: Session, patch: Json, whole: Json, tables: Tables) -> None:
        from modelwright.engines.language.catalog.faults import faults_of  # noqa: PLC0415 - heavy

        if len(json.dumps(whole)) > MAX_CORRECTIONS_BYTES:
            most = f"{MAX_CORRECTIONS_BYTES:,}"
            raise TooManyCorrections.of("tables", f"all corrections have at most {most} bytes.")
        said = read_corrections(without_nulls(patch))
        faults = faults_of(said, read_corrections(whole), tables, partial(self._others, db))
        if faults:
            raise UnfitCorrection.of_all(faults)

    def _others(self, db: Session, dataset_name: str) -> Tables | None:
        try:
            return _columns(self.datasets.resolve(db, dataset_name))
        except ApiError:
            return None

    def show(self, known: KnownDataset) -> CatalogInfo:
        """Shows a dataset's catalog; never inside a transaction, its tables are looked at."""
        version = known.version
        session = self.sessions.unrecorded(known.account_id, version)
        try:
            found = self.infer(session, self._looking(session), PROFILE_SECONDS)
        except QueryFailed:
            raise TablesNotRead from None
        finally:
            self.sessions.release(session)
        in_force = corrected(found.catalog, [known.teaching])
        return CatalogInfo(known, found.catalog, in_force)

    def _looking(self, session: SessionInfo) -> Run:
        def run(sql: str, most: int) -> Rows:
            return self.sessions.run(session, BoundedStatement(sql, most, PROFILE_SECONDS))

        return run

    def infer(self, session: SessionInfo, run: Run, seconds: float) -> InferredTables:
        """Infers what a session's tables mean, or remembers it; `run` asks them."""
        return self._inference.infer(session, run, seconds)

    def teachings(self, db: Session, session: SessionInfo) -> tuple[DatasetTeaching, ...]:
        """Finds what is said of the datasets that a session holds."""
        held: dict[str, list[SessionTable]] = {}
        for table in session.tables:
            held.setdefault(table.dataset, []).append(table)
        said = {row.dataset: row.corrections for row in repository.find(db, [*held])}
        learnt = repository.synonyms(db, [*held])
        found = []
        for dataset, tables in held.items():
            stored = carried_over(said.get(dataset, {}), [one.own_name for one in tables])
            found.append(
                DatasetTeaching(
                    tables[0].dataset_name,
                    read_corrections(stored),
                    {one.own_name: one.table for one in tables},
                    tuple(row.to_info() for row in learnt if row.dataset == dataset),
                )
            )
        return tuple(found)

    def learn(
        self, db: Session, query_id: str, session: SessionInfo, shown: "Sequence[Binding]"
    ) -> None:
        """Keeps what a verified question shows of words, in place of what it showed before."""
        repository.forget_question(db, query_id)
        tables = {one.table: one for one in session.tables}
        for number, one in enumerate(shown):
            table = tables[one.table]
            db.add(
                SynonymRecord(
                    query_id=query_id,
                    number=number,
                    dataset=table.dataset,
                    table=table.own_name,
                    column=one.column,
                    words=one.words,
                    value=one.value,
                )
            )
        db.flush()
        logger().info("catalog.learnt", query_id=query_id, synonyms=len(shown))

    def unlearn(self, db: Session, query_id: str) -> None:
        """Forgets what a question showed that is no longer verified."""
        repository.forget_question(db, query_id)

    def day(self, db: Session, dataset: str, moment: datetime) -> date:
        """Tells which day a moment is where a dataset's days are told."""
        return moment.astimezone(ZoneInfo(self.time_zone(db, dataset))).date()

    def time_zone(self, db: Session, dataset: str) -> str:
        """Tells which time zone decides the days and months of a dataset's moments."""
        said = next(iter(repository.find(db, [dataset])), None)
        return str((said.corrections if said else {}).get("time_zone") or Calendar().time_zone)

    def time_zone_of(self, db: Session, upload_id: str) -> str:
        """Tells which time zone decides the days and months of an upload's moments."""
        version = self.datasets.resolve(db, upload_id, "upload_id")
        return self.time_zone(db, _dataset(version))

    def _forget(self, db: Session, deleted: UploadDeleted) -> None:
        """Forgets what is said of a dataset without a name when its last version goes."""
        left = self.datasets.left_by(db, deleted.upload_id)
        if left is not None:
            repository.forget_dataset(db, left)


def _dataset(version: ResolvedDataset) -> str:
    return dataset_of(version.dataset_name, version.own)


def _columns(version: ResolvedDataset) -> Tables:
    names = table_names(table.filename for table in version.tables)
    return {
        name: {column.name: column.type for column in table.columns}
        for name, table in zip(names, version.tables, strict=True)
    }
