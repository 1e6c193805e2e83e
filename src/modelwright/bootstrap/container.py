"""Builds every service once; the only place that knows all features.

Features get what they need as arguments and import no feature above them; without one place that
wires them, two would have to import each other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

from fastapi import Request
from sqlalchemy.orm import Session

from modelwright.analysis.service import Analyses
from modelwright.analysis.tasks import AnalyseUpload
from modelwright.api_keys.service import Keys
from modelwright.audit.service import Audit, Origin
from modelwright.bootstrap import adapters
from modelwright.builds.service import Builds
from modelwright.builds.tasks import BuildVersion
from modelwright.catalog.service import Catalogs
from modelwright.connections.connection_tester import ConnectionTester
from modelwright.connections.ingestions import Ingestions
from modelwright.connections.password_cipher import PasswordCipher
from modelwright.connections.service import Connections
from modelwright.connections.tasks import RunIngestion
from modelwright.core.channel.peers import Channel
from modelwright.core.clock import Clock, SystemClock
from modelwright.core.config.sealing import Sealer
from modelwright.core.config.secret_files import read_or_make
from modelwright.core.config.settings import Settings
from modelwright.core.config.signing_keys import SigningKeys
from modelwright.core.db.database import ALL_ACCOUNTS, Database, after_commit
from modelwright.core.events import Events
from modelwright.core.http import idempotency
from modelwright.core.http.account_threads import MAX_THREADS_PER_ACCOUNT
from modelwright.core.http.context import Caller, RequestContext
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.limits.account_caps import AccountTiers
from modelwright.core.limits.contract import LIMITS, MB
from modelwright.core.limits.rate_limiter import RateLimiter
from modelwright.core.limits.store import RateLimitStore
from modelwright.core.process import heartbeat
from modelwright.core.process.disk_reserve import DiskReserve
from modelwright.core.process.disk_space import DiskSpaceGuard
from modelwright.datasets.preview_reader import PreviewReader
from modelwright.datasets.service import Datasets
from modelwright.deployments.replica_directory import KIND as REPLICA
from modelwright.deployments.replica_host import ReplicaHost
from modelwright.deployments.service import Deployments
from modelwright.deployments.tasks import FollowDeployment
from modelwright.endpoints.service import Endpoints
from modelwright.engines.sql.pool import Pool
from modelwright.exports.service import Exports
from modelwright.exports.tasks import MakeExport
from modelwright.jobs.context import Handler, PeriodicTask
from modelwright.jobs.event_stream import StreamSlots
from modelwright.jobs.service import Jobs
from modelwright.language_models.service import LanguageModels
from modelwright.machines.identity import identity
from modelwright.machines.service import Machines
from modelwright.models.domain import ServedVersion
from modelwright.models.service import Models
from modelwright.monitoring.service import Monitoring
from modelwright.predictions.service import Predictions
from modelwright.queries.history import History
from modelwright.queries.learning import Learning
from modelwright.queries.query_runner import QueryRunner
from modelwright.queries.service import Queries
from modelwright.scoring.service import Scoring
from modelwright.scoring.tasks import RunScoring, ScoreStep
from modelwright.sessions.domain import SessionOpened
from modelwright.sessions.executors import Executors
from modelwright.sessions.service import Sessions
from modelwright.sessions.shared_executors import SharedExecutors
from modelwright.signing.service import Signing
from modelwright.storage.checked import CheckedObjects
from modelwright.storage.garbage_collector import GarbageCollector
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.service import Storage
from modelwright.storage.url_signer import UrlSigner
from modelwright.trash.service import Trash
from modelwright.uploads.domain import UploadDeleted
from modelwright.uploads.service import Uploads
from modelwright.uploads.tasks import ProcessUpload
from modelwright.usage.domain import Kind
from modelwright.usage.service import Usage
from modelwright.users.account_deletion import AccountDeletion
from modelwright.users.console_sessions import SignIn
from modelwright.users.domain import AccountStopped
from modelwright.users.second_factor import SecondFactors
from modelwright.users.service import Users
from modelwright.users.single_sign_on import SingleSignOn

S = TypeVar("S")
MINUTE = 60.0
"""Seconds."""
HOUR = 3600.0
"""Seconds."""
STOP_SECONDS = 10.0
"""How often what deactivated accounts still began is ended."""
PREVIEW_MEMORY_BYTES = 384 * MB
"""Memory that the reading of one preview may use."""
PREVIEW_IDLE_SECONDS = 60.0
"""How long a process that read a preview waits for the next one of that file."""


@dataclass(frozen=True, slots=True)
class Container:
    """All services, ready to be used by the API, the worker and the operator's commands."""

    settings: Settings
    clock: Clock
    database: Database
    events: Events
    services: dict[type, object]
    handlers: tuple[Handler, ...]
    duties: tuple[PeriodicTask, ...]
    pipeline: RequestPipeline
    channel: Channel | None
    """How other machines are reached; None where they are not."""

    def service(self, kind: type[S]) -> S:
        """Returns the one service of a type."""
        return cast("S", self.services[kind])

    def checks(self) -> dict[str, Callable[[], None]]:
        """Returns what health asks, by name; each raises when its part is down."""
        objects = cast("CheckedObjects", self.services[ObjectStore])
        counters = cast("RateLimitStore", self.services[RateLimitStore])
        checks = {
            "storage": objects.probe,
            "counters": counters.probe,
            "cleanup": lambda: self._probe(GarbageCollector),
            "integrity": objects.make_sure,
            "jobs": lambda: self._probe(Jobs),
            "deployments": lambda: self._probe(Deployments),
            "machines": lambda: self._probe(Machines),
        }
        if (board := heartbeat.board()) is not None:
            checks["processes"] = board.probe
        models = self.service(LanguageModels)
        return checks | ({"language_models": models.probe} if models.standings() else {})

    def host(self) -> ReplicaHost:
        """Makes the host of this data folder's replicas; there may be one at a time."""
        return ReplicaHost(
            self.database,
            self.service(Deployments),
            cast("ObjectStore", self.services[ObjectStore]),
            self.service(Machines),
            folder=self.settings.scratch_dir / "replicas",
            target="modelwright.predictions.replica_handler:open_",
            at_most=self.settings.replicas_at_most,
            drain_seconds=self.settings.drain_seconds,
            hung_seconds=self.settings.hung_seconds,
        )

    def _probe(
        self, kind: type[Jobs] | type[Deployments] | type[GarbageCollector] | type[Machines]
    ) -> None:
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            self.service(kind).probe(db)


class ContainerBuilder:
    """Builds the services layer by layer; what a later one needs, an earlier one has made."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None,
        counters: RateLimitStore | None,
        objects: ObjectStore | None,
    ) -> None:
        settings.make_data_dir()
        folder = settings.data_dir
        self.settings = settings
        self.clock = clock or SystemClock()
        self.counters = counters or adapters.make_rate_limit_store(settings, clock)
        self.signer = UrlSigner(read_or_make(folder / "storage.key"))
        self.key_ring = adapters.key_ring(settings)
        self.secret = self.key_ring.secrets()[0]
        stored = objects or adapters.make_object_store(settings, self.signer, self.clock)
        self.objects = CheckedObjects(stored)
        self.space = DiskSpaceGuard(folder, settings.objects_dir)
        self.reserve = DiskReserve(folder, self.space)
        self.database, self.events = Database(settings.database), Events()
        self.services: dict[type, object] = {
            ObjectStore: self.objects,
            RateLimitStore: self.counters,
        }
        self._with(self.key_ring)
        self._with(self.reserve)
        self.machines = self._with(Machines(self.clock, identity(settings)))
        self.channel = adapters.make_channel(settings, self.machines.here)
        self.tiers = AccountTiers()
        self.signing_keys = self._with(SigningKeys(self.key_ring.secrets))
        self.handlers: list[Handler] = []
        self.duties: list[PeriodicTask] = []

    def accounts(self) -> None:
        """Builds the services that say who is calling and what was used."""
        self.usage = self._with(Usage(self.database, self.clock))
        self.jobs = self._with(Jobs(self.clock, self.space, self.settings.small_job_mb * MB))
        self._with(StreamSlots())
        self.duties.append(PeriodicTask("machines.sweep", 10 * MINUTE, self.machines.sweep))
        self.keys = self._with(Keys(self.clock, self.counters, self.usage))
        self.audit = self._with(
            Audit(
                self.clock,
                self.settings.audit_retention_days,
                self.objects,
                self.signing_keys,
                is_required=self.settings.audit_required,
            )
        )
        idle = self.settings.console_idle_minutes
        signing_in = self._with(
            SignIn(self.database, self.clock, idle, self.settings.console_hours)
        )
        sealer = Sealer(self.key_ring.secrets, b"modelwright second factors\n")
        self._with(SecondFactors(self.clock, sealer, self.counters))
        self.users = self._with(Users(self.clock, self.keys, signing_in, self.events))
        self.events.listen(AccountStopped, self._stop_jobs)
        self.duties.append(PeriodicTask("users.stop_late", STOP_SECONDS, self.users.stop_late))
        name, domains = self.settings.oidc_name, self.settings.oidc_domains
        provider = adapters.make_oidc_provider(self.settings, self.clock)
        self._with(SingleSignOn(self.users, signing_in, provider, name, domains, self.clock))
        days = self.settings.trash_days
        self.garbage_collector = self._with(
            GarbageCollector(self.clock, self.objects, self.database, days)
        )
        leaving = self._with(AccountDeletion(self.clock, self.garbage_collector.clear))
        days = self.settings.job_retention_days
        self.duties.append(PeriodicTask("users.sweep", HOUR, signing_in.sweep))
        self.duties.append(PeriodicTask("users.clear", 10 * MINUTE, leaving.sweep))
        self.duties.append(
            PeriodicTask("jobs.sweep", 10 * MINUTE, lambda db: self.jobs.sweep(db, days))
        )
        self.duties.append(PeriodicTask("usage.sweep", 10 * MINUTE, self.usage.sweep))
        self.duties.append(PeriodicTask("audit.sweep", 10 * MINUTE, self.audit.sweep))
        self.duties.append(
            PeriodicTask(
                "disk.lay_aside", 10 * MINUTE, lambda db: after_commit(db, self.reserve.lay_aside)
            )
        )
        self.duties.append(PeriodicTask("audit.keep_head", MINUTE, self.audit.keep_head))
        self.duties.append(PeriodicTask("storage.sweep", HOUR, self.garbage_collector.sweep))
        self.duties.append(
            PeriodicTask(
                "idempotency.purge", HOUR, lambda db: idempotency.purge(db, self.clock.now())
            )
        )

    def data(self) -> None:
        """Builds the services that data comes in by."""
        clock, objects, events = self.clock, self.objects, self.events
        self._with(Storage(objects, self.signer, clock, self.database, events, self.space))
        limits, days = self.settings.limits, self.settings.trash_days
        self.uploads = self._with(
            Uploads(clock, objects, self.jobs, events, self.users, self.space, limits, days)
        )
        settings = self.settings
        pool = Pool(
            size=settings.preview_processes,
            reserved=settings.preview_processes,
            memory_bytes=PREVIEW_MEMORY_BYTES,
            homes=settings.scratch_dir / "previews",
            threads=1,
            idle_seconds=PREVIEW_IDLE_SECONDS,
            waiting=MAX_THREADS_PER_ACCOUNT,
        )
        previews = PreviewReader(pool, objects, clock, settings.preview_seconds)
        self.datasets = self._with(Datasets(clock, self.uploads, events, previews))
        sweep = PeriodicTask("previews.sweep", HOUR, lambda db: after_commit(db, previews.sweep))
        self.duties.append(sweep)
        self.handlers.append(ProcessUpload(self.uploads, objects, self.settings, self.usage))
        self.duties.append(PeriodicTask("uploads.sweep", 10 * MINUTE, self.uploads.sweep))
        for prefix in ("uploads", "tables"):
            self.garbage_collector.register_references(
                prefix,
                partial(self.uploads.references, prefix=prefix),
                partial(self.uploads.finished, prefix=prefix),
            )

    def databases(self) -> None:
        """Builds the service that imports data from other databases."""
        settings, clock, jobs = self.settings, self.clock, self.jobs
        connections = self._with(
            Connections(
                clock, jobs, ConnectionTester(settings), PasswordCipher(self.key_ring.secrets)
            )
        )
        ingestions = self._with(Ingestions(clock, jobs, connections, self.uploads, self.users))
        self.handlers.append(RunIngestion(ingestions, connections, self.objects, settings))
        self.duties.append(PeriodicTask("ingestions.start_due", MINUTE / 4, ingestions.start_due))

    def asking(self) -> None:
        """Builds the services that answer questions about data."""
        settings, objects = self.settings, self.objects
        analyses = self._with(Analyses(self.clock, objects, self.uploads, self.jobs, self.events))
        self.garbage_collector.register_references(
            "analyses", analyses.references, analyses.finished
        )
        pool = Pool(
            size=settings.query_processes,
            reserved=settings.query_processes_reserved,
            most_of=lambda account: self.tiers.cap(account, settings.query_processes_per_account),
            memory_bytes=settings.query_memory_mb << 20,
            homes=settings.scratch_dir / "queries",
        )
        own = Executors(pool, objects)
        executors: Executors | SharedExecutors = own
        if self.channel is not None:
            executors = SharedExecutors(own, self.database, self.machines, self.channel)
        sessions = self._with(
            Sessions(self.clock, self.uploads, self.datasets, executors, self.events)
        )
        catalogs = self._with(Catalogs(self.clock, self.datasets, sessions, self.events))
        self.handlers.append(AnalyseUpload(analyses, objects, settings, catalogs.time_zone_of))
        self.duties.append(PeriodicTask("sessions.sweep", 10 * MINUTE, sessions.sweep))
        language_models = self._with(adapters.make_language_models(settings, self.clock))
        query_runner = QueryRunner(
            sessions,
            catalogs.infer,
            LIMITS,
            language_models.readers,
            prepare=language_models.prepare if language_models.has_local else None,
            right_of_answered=settings.answer_confidence,
        )
        history = History(self.database, at_once=self.channel is not None)

        def get_ready(db: Session, opened: SessionOpened) -> None:
            teachings = catalogs.teachings(db, opened.session)
            after_commit(db, lambda: query_runner.get_ready(opened.session, teachings))

        self.events.listen(SessionOpened, get_ready)
        self.events.listen(
            UploadDeleted,
            lambda db, one: after_commit(db, lambda: language_models.forget(one.upload_id)),
        )
        queries = self._with(
            Queries(self.clock, self.counters, sessions, catalogs, query_runner, history)
        )
        self._with(Learning(self.clock, self.database, sessions, catalogs, query_runner))
        self.duties.append(PeriodicTask("queries.sweep", 10 * MINUTE, queries.sweep))

    def register_exports(self) -> None:
        """Builds the service that data leaves by."""
        clock, objects, settings = self.clock, self.objects, self.settings
        mail, url, limits = adapters.make_mail(settings), settings.public_url, settings.limits
        self.exports = exports = self._with(
            Exports(
                clock,
                objects,
                self.uploads,
                self.jobs,
                self.events,
                self.users,
                mail,
                download_minutes=settings.download_minutes,
                public_url=url,
                limits=limits,
            )
        )
        self.handlers.append(MakeExport(exports, objects, settings))
        self.duties.append(PeriodicTask("exports.sweep", 10 * MINUTE, exports.sweep))
        self.garbage_collector.register_references("exports", exports.references, exports.finished)

    def models(self) -> None:
        """Builds the services that make models and use them."""
        settings, clock, objects, events = self.settings, self.clock, self.objects, self.events
        uploads, jobs, usage = self.uploads, self.jobs, self.usage
        models = self._with(Models(clock, events, uploads, jobs))
        trash_days = settings.trash_days
        self._with(Trash(uploads, models, trash_days))
        self.duties.append(
            PeriodicTask("models.sweep", HOUR, lambda db: models.sweep(db, trash_days))
        )
        signing = self._with(Signing(self.signing_keys, clock))
        builds = self._with(
            Builds(
                settings,
                events,
                objects,
                models,
                self.datasets,
                uploads,
                jobs,
                self.users,
                usage,
                cast("LanguageModels", self.services[LanguageModels]),
            )
        )
        deployments = self._with(
            Deployments(clock, events, models, jobs, settings, self.machines, self.channel)
        )
        if self.channel is not None:
            self.channel.serve(REPLICA, deployments.calls.serve)
        days, kept = settings.monitoring_days, settings.predictions_kept
        waiting = settings.predictions_waiting
        monitoring = self._with(
            Monitoring(self.database, clock, objects, models, days=days, kept=kept)
        )
        self.duties.append(PeriodicTask("monitoring.sweep", HOUR, monitoring.sweep))
        endpoints = self._with(
            Endpoints(clock, events, models, deployments, self.keys, self._load_version)
        )
        self.duties.append(PeriodicTask("endpoints.enter", MINUTE, endpoints.enter_missing))
        self._with(
            Predictions(clock, objects, models, deployments, endpoints, usage, monitoring, waiting)
        )
        self.handlers.append(BuildVersion(builds, objects, settings, signing))
        self.garbage_collector.register_references("artifacts", builds.references, builds.finished)
        self.handlers.append(FollowDeployment(deployments))

    def _load_version(self, version: ServedVersion) -> None:
        cast("Predictions", self.services[Predictions]).load(version)

    def scoring(self) -> None:
        """Builds the service that scores whole uploads; it uses data and models."""
        models = cast("Models", self.services[Models])
        settings, objects = self.settings, self.objects
        scoring = Scoring(
            self.events,
            models,
            self.uploads,
            self.exports,
            self.jobs,
            self.usage,
            objects,
            step_rows=settings.scoring_step_rows,
        )
        self.handlers.append(RunScoring(self._with(scoring), objects, settings))
        self.handlers.append(ScoreStep(scoring, objects, settings))

    def pipeline(self) -> RequestPipeline:
        """Builds the pipeline that all requests go through."""
        rates = RateLimiter(self.counters, self.settings.requests_per_minute_enterprise)

        def count(caller: Caller) -> None:
            self.usage.record(caller.account_id, Kind.REQUESTS, key_id=caller.key_id or "")

        def record(ctx: RequestContext, request: Request, answer: Any) -> None:
            route = request.scope.get("route")
            operation = getattr(route, "operation_id", None) or request.method
            address = request.client.host if request.client else ""
            self.audit.record(ctx, Origin(operation, request.url.path, address), answer)

        return RequestPipeline(
            database=self.database,
            authenticator=self.users,
            limiter=rates,
            services=self.services,
            clock=self.clock,
            tiers=self.tiers,
            public_url=self.settings.public_url,
            secret=self.secret,
            count=count,
            record=record,
            make_room=self.reserve.give_up,
        )

    def _stop_jobs(self, db: Session, stopped: AccountStopped) -> None:
        self.jobs.cancel_all(db, stopped.account_id)

    def _with(self, service: S) -> S:
        self.services[type(service)] = service
        return service


def build_container(
    settings: Settings,
    *,
    clock: Clock | None = None,
    counters: RateLimitStore | None = None,
    objects: ObjectStore | None = None,
) -> Container:
    """Builds the container over the settings' database and storage, or over those given."""
    builder = ContainerBuilder(settings, clock, counters, objects)
    builder.accounts()
    builder.data()
    builder.databases()
    builder.asking()
    builder.register_exports()
    builder.models()
    builder.scoring()
    return Container(
        settings=settings,
        clock=builder.clock,
        database=builder.database,
        events=builder.events,
        services=builder.services,
        handlers=tuple(builder.handlers),
        duties=tuple(builder.duties),
        pipeline=builder.pipeline(),
        channel=builder.channel,
    )
