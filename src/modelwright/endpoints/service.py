"""`Endpoints`: which version of a model is in service in an environment, moved at once and back."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from modelwright.api_keys.service import Keys
from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, scope_to
from modelwright.core.db.queries import insert, insert_if_absent
from modelwright.core.events import Events
from modelwright.core.http.context import Caller
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id
from modelwright.deployments.domain import ENVIRONMENTS, VersionDeployed
from modelwright.deployments.service import Deployments
from modelwright.endpoints import repository
from modelwright.endpoints.domain import (
    Changer,
    EndpointChangeInfo,
    EndpointInfo,
    EndpointTarget,
)
from modelwright.endpoints.errors import (
    ChangedMeanwhile,
    NothingBefore,
    NothingInService,
    NothingReadyYet,
)
from modelwright.endpoints.orm import EndpointChangeRecord, EndpointRecord
from modelwright.models.domain import ServedVersion, VersionReady
from modelwright.models.service import Models

FIRST_ENVIRONMENT = "production"
"""Where the first READY version of a model is in service by itself."""
Load = Callable[[ServedVersion], None]
"""Reads what a version has learnt; refuses what is damaged or gone."""


@dataclass(eq=False)
class Endpoints:
    """The stable addresses of an account's models."""

    clock: Clock
    events: Events
    models: Models
    deployments: Deployments
    keys: Keys
    load: Load

    def __post_init__(self) -> None:
        self.events.listen(VersionReady, self._enter_first_ready)
        self.events.listen(VersionDeployed, self._enter_first_deployed)

    def list_(self, db: Session, model_name: str, page: Page) -> tuple[list[EndpointInfo], int]:
        """Lists one page of a model's endpoints, production first, and counts them all."""
        rows = repository.of_model(db, self.models.id_of(db, model_name))
        rows = sorted(rows, key=lambda row: ENVIRONMENTS.index(row.environment))
        shown = rows[page.offset : page.offset + page.limit]
        return [self._to_info(db, row, model_name) for row in shown], len(rows)

    def read(self, db: Session, model_name: str, environment: str) -> EndpointInfo:
        """Tells which version is in service; refuses where none is."""
        return self._to_info(db, self._endpoint(db, model_name, environment), model_name)

    def history(
        self, db: Session, model_name: str, environment: str, page: Page
    ) -> tuple[list[EndpointChangeInfo], int]:
        """Lists one page of what was in service when, newest first, and counts it all."""
        row = self._endpoint(db, model_name, environment)
        rows, total = repository.changes(db, row.model_id, environment, page)
        return [one.to_info() for one in rows], total

    def target(self, db: Session, model_name: str, environment: str) -> EndpointTarget:
        """Tells what is to answer a request; refuses where no version is in service."""
        row = self._endpoint(db, model_name, environment)
        deployment = self.deployments.answering(db, row.model_id, environment, row.version_id)
        return EndpointTarget(row.to_served(model_name), deployment)

    def candidate(
        self, db: Session, model_name: str, environment: str, model_version: str
    ) -> ServedVersion:
        """Finds the version that is to be promoted; refuses what `promote` refuses."""
        self._endpoint(db, model_name, environment)
        return self.models.serving(db, model_name, model_version)

    def promote(
        self,
        db: Session,
        caller: Caller,
        model_name: str,
        environment: str,
        model_version: str,
        loaded: str,
    ) -> EndpointInfo:
        """Puts a version in service, the one `loaded` (its id); nothing changes where it is so.

        Refuses where none is in service, a version that is unknown or not READY, and one that took
        the place of the loaded one meanwhile.
        """
        row = self._endpoint(db, model_name, environment, lock=True)
        new = self.models.serving(db, model_name, model_version)
        if new.version_id != loaded:
            raise ChangedMeanwhile(model_name, environment, row.model_version)
        if new.version_id != row.version_id:
            self._move(db, row, new, self._changer(db, caller), back_to=row.change_id)
        return self._to_info(db, row, model_name)

    def former(self, db: Session, model_name: str, environment: str) -> tuple[str, ServedVersion]:
        """Finds the last change, and the version that a rollback of it leads to.

        Refuses what `rollback` refuses.
        """
        row = self._endpoint(db, model_name, environment)
        return row.change_id, self._former(db, row, model_name)[1]

    def rollback(
        self, db: Session, caller: Caller, model_name: str, environment: str, seen: str
    ) -> EndpointInfo:
        """Puts the version in service again that the last change, the one `seen`, took out of it.

        A second rollback leads to the one before that. Refuses where there is none, and where
        another change came meanwhile: two who roll back at once mean one step.
        """
        row = self._endpoint(db, model_name, environment, lock=True)
        if row.change_id != seen:
            raise ChangedMeanwhile(model_name, environment, row.model_version)
        change, version = self._former(db, row, model_name)
        self._move(db, row, version, self._changer(db, caller), back_to=change.back_to)
        return self._to_info(db, row, model_name)

    def _former(
        self, db: Session, row: EndpointRecord, model_name: str
    ) -> tuple[EndpointChangeRecord, ServedVersion]:
        present = repository.change(db, row.change_id)
        change = repository.change(db, present.back_to if present else None)
        if change is None:
            raise NothingBefore(model_name, row.environment, row.model_version)
        version = self.models.serving_by_id(db, change.version_id)
        if version is None:  # a version that was READY goes with its model alone
            raise LookupError(change.version_id)
        return change, version

    def _move(
        self,
        db: Session,
        row: EndpointRecord,
        new: ServedVersion,
        by: Changer,
        *,
        back_to: str | None,
    ) -> None:
        former, former_id = repository.change(db, row.change_id), row.version_id
        change = self._to_change(row.model_id, row.environment, new, by, back_to)
        if former is not None:
            former.until = change.since
        insert(db, change)
        row.change_id, row.version_id = change.change_id, new.version_id
        row.model_version, row.artifact = new.model_version, new.artifact
        db.flush()
        self.deployments.replace(db, row.model_id, row.environment, former_id, new)

    def enter_missing(self, db: Session) -> None:
        """Puts first versions in service that machines of a release without endpoints have made.

        For the platform's own transaction, which sees all accounts.
        """
        present = repository.places(db)
        deployed = self.deployments.deployed(db)
        ready = self.models.with_ready_versions(db)
        for account_id, told in deployed:
            if (told.model_id, told.environment) not in present:
                scope_to(db, account_id)
                self._enter_first_deployed(db, told)
        for account_id, model_id in ready:
            if (model_id, FIRST_ENVIRONMENT) not in present:
                scope_to(db, account_id)
                self._enter_first_version(db, model_id)
        scope_to(db, ALL_ACCOUNTS)

    def _enter_first_ready(self, db: Session, ready: VersionReady) -> None:
        self._enter_first_version(db, ready.model_id)

    def _enter_first_version(self, db: Session, model_id: str) -> None:
        version = self.models.first_ready(db, model_id)
        self._enter(db, model_id, FIRST_ENVIRONMENT, version, Changer())

    def _enter_first_deployed(self, db: Session, deployed: VersionDeployed) -> None:
        version = self.models.serving_by_id(db, deployed.version_id)
        by = Changer() if deployed.by is None else self._changer(db, deployed.by)
        self._enter(db, deployed.model_id, deployed.environment, version, by)

    def _enter(
        self,
        db: Session,
        model_id: str,
        environment: str,
        version: ServedVersion | None,
        by: Changer,
    ) -> None:
        """Puts the first version in service; nothing happens where one is."""
        if version is None or repository.find(db, model_id, environment) is not None:
            return
        change = self._to_change(model_id, environment, version, by, None)
        row = EndpointRecord(
            model_id=model_id,
            environment=environment,
            change_id=change.change_id,
            version_id=version.version_id,
            model_version=version.model_version,
            artifact=version.artifact,
        )
        if insert_if_absent(db, row):
            insert(db, change)

    def _to_change(
        self,
        model_id: str,
        environment: str,
        version: ServedVersion,
        by: Changer,
        back_to: str | None,
    ) -> EndpointChangeRecord:
        return EndpointChangeRecord(
            change_id=new_id("chg"),
            model_id=model_id,
            environment=environment,
            version_id=version.version_id,
            model_version=version.model_version,
            since=self.clock.now(),
            changed_by=by.email,
            key_name=by.key_name,
            back_to=back_to,
        )

    def _changer(self, db: Session, caller: Caller) -> Changer:
        key_id = caller.key_id
        return Changer(caller.email, None if key_id is None else self.keys.name_of(db, key_id))

    def _endpoint(
        self, db: Session, model_name: str, environment: str, *, lock: bool = False
    ) -> EndpointRecord:
        model_id = self.models.id_of(db, model_name)
        row = repository.find(db, model_id, environment, lock=lock)
        if row is None and environment == FIRST_ENVIRONMENT:
            raise NothingReadyYet(model_name)
        if row is None:
            raise NothingInService(model_name, environment)
        return row

    def _to_info(self, db: Session, row: EndpointRecord, model_name: str) -> EndpointInfo:
        change = repository.change(db, row.change_id)
        if change is None:  # the two rows are written together
            raise LookupError(row.change_id)
        former = repository.change(db, change.back_to)
        answering = self.deployments.answering(db, row.model_id, row.environment, row.version_id)
        return EndpointInfo(
            model_name=model_name,
            environment=row.environment,
            model_version=row.model_version,
            former_version=former.model_version if former else None,
            deployment_id=answering.deployment_id if answering else None,
            since=change.since,
            changed_by=change.changed_by,
            key_name=change.key_name,
        )
