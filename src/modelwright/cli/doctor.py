"""`modelwright doctor`: looks at a set-up part by part and says what is wrong and what to do."""

import difflib
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, cast

import psutil
import typer
from sqlalchemy.exc import SQLAlchemyError

from modelwright import migrations
from modelwright.bootstrap import adapters
from modelwright.bootstrap.startup import (
    StartupError,
    check_database,
    check_object_store,
    damage,
    database_file,
    open_container,
)
from modelwright.cli.context import load_settings
from modelwright.core.clock import SystemClock
from modelwright.core.config.secret_files import KeyFileError, read
from modelwright.core.config.settings import PREFIX, Settings, listed
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.db.errors import DatabaseUnavailable
from modelwright.core.errors import ApiError, Unavailable
from modelwright.core.limits.contract import GB
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.language_models.domain import ModelFile, model_files, place_of
from modelwright.machines.domain import Machine, MachinePart
from modelwright.machines.identity import identity
from modelwright.machines.service import Machines
from modelwright.processes.parts_file import LATE_SECONDS, servers
from modelwright.storage import ownership_marker
from modelwright.storage.checked import CheckedObjects
from modelwright.storage.errors import ObjectsUnmarked, StorageUnavailable
from modelwright.storage.garbage_collector import GarbageCollector
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.url_signer import UrlSigner
from modelwright.system.sandbox.process import missing

BACKUP = "restore a backup"
NEVER_RECORDED = "is named by the database, is not there, and has no record of its bytes"
GONE = "restore a backup; without one, delete what it belongs to, or make it again"
KEYS = "check MODELWRIGHT_S3_ACCESS_KEY and MODELWRIGHT_S3_SECRET_KEY"
BUCKET_REMEDIES = {
    "AccessDenied": f"{KEYS}, and that they may write, read, list and delete there",
    "InvalidAccessKeyId": KEYS,
    "SignatureDoesNotMatch": KEYS,
    "NoSuchBucket": "make the bucket, or check MODELWRIGHT_S3_BUCKET",
}
FREE_BYTES = 2 * GB
"""With less room left, the operator is told to make some."""
MEMORY_BYTES = 4 * GB
"""With less memory, the operator is warned even where builds are set to take little."""
SECRET_LETTERS = 20
"""With fewer, even random letters and digits, a secret can be found by trying."""
MIN_NAME_SIMILARITY = 0.85
"""How alike an unknown variable is to a setting at least, of 1, to be a slip of the pen."""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("doctor")(doctor_)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, and the remedy when something is wrong with it."""

    part: str
    message: str
    remedy: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """Looks at every part; a finding without a remedy is well."""
    looks: tuple[Callable[[Settings], Finding], ...] = (
        _names,
        _folder,
        _space,
        _memory,
        _sandbox,
        _secrets,
        _database,
        _objects,
        _counters,
        _machines,
        _sign_in,
        _language_models,
        _address,
        _processes,
    )
    for look in looks:
        yield look(settings)


def scrub(settings: Settings) -> list[Finding]:
    """Reads every stored object and names what is damaged or missing."""
    try:
        container = open_container(settings)
        with closing(container.database):
            check_object_store(container)
            objects = cast("CheckedObjects", container.services[ObjectStore])
            collector = container.service(GarbageCollector)
            found = objects.scrub(collector.prefixes())
            with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
                never_recorded = collector.never_recorded(db)
    except (StartupError, ApiError) as refusal:
        return [Finding("stored objects", str(refusal), "mend what is said above first")]
    message = f"{found.checked} read, {found.recorded} of them for the first time"
    lost = [Finding("stored objects", f"{key} is missing", BACKUP) for key in found.lost]
    damaged = [Finding("stored objects", f"{key} is damaged", BACKUP) for key in found.damaged]
    lost += [Finding("stored objects", f"{key} {NEVER_RECORDED}", GONE) for key in never_recorded]
    return [Finding("stored objects", message), *damaged, *lost]


def _names(_settings: Settings) -> Finding:
    known = [name.upper() for name in Settings.model_fields]
    for variable in os.environ:
        name = variable.upper().removeprefix(PREFIX)
        if name == variable.upper() or name in known:
            continue
        if meant := difflib.get_close_matches(name, known, 1, MIN_NAME_SIMILARITY):
            return Finding(
                "settings", f"{variable} is no setting", f"did you mean {PREFIX}{meant[0]}?"
            )
    return Finding("settings", "their names are right")


def _folder(settings: Settings) -> Finding:
    folder = settings.data_dir.resolve()
    if not folder.exists():
        return Finding("data folder", f"{folder} will be made at the first start")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Finding("data folder", f"{folder} can't be written to", f"chown it: {folder}")
    if folder.stat().st_mode & stat.S_IRWXO:
        return Finding("data folder", f"others can read {folder}", f"chmod 700 {folder}")
    return Finding("data folder", str(folder))


def _space(settings: Settings) -> Finding:
    folder = settings.data_dir.resolve()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    message = f"{free / GB:.1f} GB free"
    return Finding("disk", message, "" if free >= FREE_BYTES else "make room: uploads need it")


def _memory(settings: Settings) -> Finding:
    total = psutil.virtual_memory().total
    message = f"{total / GB:.1f} GB"
    wanted = settings.builds_at_once * settings.build_memory_mb * 1024**2
    if total < max(MEMORY_BYTES, wanted):
        remedy = "lower MODELWRIGHT_BUILD_MEMORY_MB or MODELWRIGHT_BUILDS_AT_ONCE"
        return Finding("memory", f"{message}, builds may take {wanted / GB:.1f} GB", remedy)
    return Finding("memory", message)


def _sandbox(_settings: Settings) -> Finding:
    lacking = missing()
    if not lacking:
        return Finding("sandbox", "children that read what was sent reach their own files alone")
    message = "; ".join(f"no {layer}: {without}" for layer, without in lacking.items())
    remedy = "run on Linux 6.7 or later with Landlock on, which containers may need to be allowed"
    return Finding("sandbox", message, remedy)


def _secrets(settings: Settings) -> Finding:
    if 0 < len(settings.secret_key.get_secret_value()) < SECRET_LETTERS:
        message = f"MODELWRIGHT_SECRET_KEY has less than {SECRET_LETTERS} characters"
        remedy = "take a random one, and give connected databases' passwords anew"
        return Finding("secrets", message, remedy)
    for path in sorted(settings.data_dir.glob("*.key")):
        try:
            read(path)
        except KeyFileError as error:
            message, _, remedy = str(error).rstrip(".").partition(": ")
            return Finding("secrets", message, remedy)
    if (settings.data_dir / "secret.key.old").exists():
        message = "the secret was not rotated to the end"
        return Finding("secrets", message, "run modelwright rotate-key once more")
    return Finding("secrets", "only their owner can read them")


def _database(settings: Settings) -> Finding:
    """Looks at the database: whether it opens, is whole, and is of this program's step."""
    path = settings.data_dir / "modelwright.sqlite"
    if not settings.database_url and not path.exists():
        return Finding("database", "will be made at the first start")
    try:
        check_database(settings)
        with closing(Database(settings.database)) as database:
            with database.engine.connect() as connection:
                found = migrations.revision(connection)
            if not settings.database_url and (found_damage := damage(path)):
                return Finding("database", f"it is damaged: {found_damage}", BACKUP)
    except StartupError as error:
        remedy = BACKUP if os.access(settings.data_dir, os.W_OK) else "make it writable"
        remedy = "start the database, or correct the setting" if settings.database_url else remedy
        return Finding("database", str(error), remedy)
    except (SQLAlchemyError, sqlite3.DatabaseError) as error:
        return Finding("database", str(error).splitlines()[0], BACKUP)
    if found != migrations.head():
        message = f"stands at step {found or 'none'}, the program at {migrations.head()}"
        newer = found is not None and found > migrations.head()
        remedy = (
            "install the newer program again" if newer else "start the server once: it upgrades"
        )
        return Finding("database", message, remedy)
    return Finding("database", f"at step {found}, whole")


def _objects(settings: Settings) -> Finding:
    if not (settings.s3_bucket or settings.objects_dir.exists()):
        return Finding("objects", f"will be in {settings.objects_dir.resolve()}")
    objects = adapters.make_object_store(settings, UrlSigner(b""), SystemClock())
    try:
        if settings.s3_bucket:
            objects.probe()
        why = _not_its_own(settings, objects)
    except StorageUnavailable as away:
        remedy = BUCKET_REMEDIES.get(away.why, "check MODELWRIGHT_S3_ENDPOINT and _S3_REGION")
        return Finding("objects", f"{settings.bucket_url} can't be used: {away.why}", remedy)
    if why:
        message, _, remedy = why.partition(": ")
        return Finding("objects", message, remedy)
    if settings.s3_bucket:
        return Finding("objects", f"{settings.bucket_url} takes, gives and removes them")
    return Finding("objects", f"in {settings.objects_dir.resolve()}")


def _not_its_own(settings: Settings, objects: ObjectStore) -> str:
    """Says why the objects are not the database's, or why they are no longer swept."""
    path = database_file(settings)
    if objects.is_empty() or (path is not None and not path.exists()):
        return "" if objects.is_empty() else ObjectsUnmarked().message
    try:
        with closing(Database(settings.database)) as database:
            ownership_marker.check(database, objects)
            with database.transaction(ALL_ACCOUNTS, write=False) as db:
                return ownership_marker.alarm(db) or ""
    except (SQLAlchemyError, sqlite3.DatabaseError, DatabaseUnavailable):
        return ""  # the finding about the database says so
    except ApiError as refusal:
        return refusal.message


def _counters(settings: Settings) -> Finding:
    url = settings.redis_url.get_secret_value()
    if not url:
        return Finding("counters", "each machine counts by itself, in its data folder")
    from redis.exceptions import RedisError  # noqa: PLC0415 - slow to load, like the next

    from modelwright.core.limits.redis_store import RedisRateLimitStore  # noqa: PLC0415

    try:
        RedisRateLimitStore(url, MemoryRateLimitStore(SystemClock())).probe()
    except RedisError as error:
        return Finding("counters", str(error), "check MODELWRIGHT_REDIS_URL, and that Redis runs")
    return Finding("counters", "Redis answers")


def _machines(settings: Settings) -> Finding:
    """Looks at the machines that share the database, and whether they can be one."""
    part = "machines"
    try:
        with closing(Database(settings.database)) as database:
            with database.engine.connect() as connection:
                if migrations.revision(connection) != migrations.head():
                    return Finding(part, "none is known yet")
            known = Machines(SystemClock(), identity(settings))
            with database.transaction(ALL_ACCOUNTS, write=False) as db:
                now, found = known.now(db), known.list_(db)
    except (SQLAlchemyError, sqlite3.DatabaseError, DatabaseUnavailable, OSError):
        return Finding(part, "the database could not be asked")
    message = "; ".join(_described(one, now) for one in found) or "none has been started"
    alive = [one for one in found if one.parts(now)]
    if silent := [one.name for one in found if one.silent(now)]:
        return Finding(part, message, f"see why {', '.join(silent)} is silent, or stop it in order")
    if len(alive) > 1 and not all(one.address for one in alive if one.has(MachinePart.API, now)):
        remedy = "set MODELWRIGHT_CLUSTER_LISTEN and _SECRET, so that they share replicas"
        return Finding(part, f"{message}; they do not reach each other", remedy)
    return Finding(part, message)


def _described(one: Machine, now: datetime) -> str:
    parts = ", ".join(one.parts(now)) or "stopped"
    return f"{one.name} {one.version} ({parts}{', draining' if one.is_draining else ''})"


def _sign_in(settings: Settings) -> Finding:
    provider = adapters.make_oidc_provider(settings, SystemClock())
    if provider is None:
        return Finding("sign-in", "by password")
    try:
        provider.discover()
    except Unavailable:
        remedy = "check MODELWRIGHT_OIDC_ISSUER; the line logged above says what it answered"
        return Finding("sign-in", f"{provider.issuer} can't be used", remedy)
    return Finding("sign-in", f"by password, or by {provider.issuer}")


def _language_models(settings: Settings) -> Finding:
    part = "language models"
    files = listed(settings.language_model_file)
    wanted = model_files(settings.data_dir, map(Path, files))
    if missing := [file for file in files if not Path(file).is_file()]:
        return Finding(
            part, f"{missing[0]} is not there", "correct MODELWRIGHT_LANGUAGE_MODEL_FILE"
        )
    if wanted and find_spec("xllamacpp") is None:
        remedy = 'pip install "modelwright-platform[language-models]"'
        return Finding(part, f"{wanted[0].name} can't be run: xllamacpp is not installed", remedy)
    needed = len(wanted) * settings.language_model_memory_mb << 20
    if needed > psutil.virtual_memory().total:
        message = f"{len(wanted)} models may take {needed / GB:.1f} GB"
        return Finding(part, message, "use fewer, or lower MODELWRIGHT_LANGUAGE_MODEL_MEMORY_MB")
    return _asked_models(settings, part, wanted)


def _asked_models(settings: Settings, part: str, local: Sequence[ModelFile]) -> Finding:
    models = adapters.make_language_models(settings, SystemClock())
    names = ", ".join(one.name for one in models.standings())
    if not names:
        return Finding(part, "none; questions are read by rules alone")
    if not all(place_of(settings.data_dir, one).socket.exists() for one in local):
        return Finding(part, f"{names}; the server loads those of this machine")
    try:
        models.probe()
    except Unavailable as away:
        return Finding(part, away.message, "check the address and key, or the server's log")
    return Finding(part, f"{names} answer")


def _processes(settings: Settings) -> Finding:
    part, lines = "processes", []
    for pid, (age, states) in servers(settings.parts_dir).items():
        if age > LATE_SECONDS:
            silent = f"the supervisor (process {pid}) has given no sign of life for {age:.0f} s"
            return Finding(part, silent, "restart the service: nobody replaces the supervisor")
        for one in states:
            if one.silent_seconds > settings.hung_seconds / 2:
                silent = (
                    f"the {one.part} (process {one.pid}) has given no sign of life for"
                    f" {one.silent_seconds:.0f} s"
                )
                remedy = f"it is replaced after {settings.hung_seconds:g} s; the log says why"
                return Finding(part, silent, remedy)
        replaced = [f"{one.part} {one.replaced} times" for one in states if one.replaced]
        again = f", replaced for their silence: {', '.join(replaced)}" if replaced else ""
        lines.append(f"{', '.join(one.part for one in states)} live{again}")
    return Finding(part, "; ".join(lines) or "no server runs here")


def _address(settings: Settings) -> Finding:
    if settings.trusted_proxies and not settings.public_url:
        remedy = "set MODELWRIGHT_PUBLIC_URL to the address that clients use"
        return Finding("address", "a proxy is trusted, but the public address is not set", remedy)
    if settings.tls_by_proxy and not settings.trusted_proxies:
        remedy = "set MODELWRIGHT_TRUSTED_PROXIES to the proxy's address"
        return Finding("address", "behind a proxy, all clients count as one address", remedy)
    return Finding("address", settings.public_url or "answers point to where a request came in")


def doctor_(
    deep: Annotated[bool, typer.Option("--deep", help="Read all that is stored.")] = False,
) -> None:
    """Looks at the set-up and says what is wrong with it and what to do."""
    settings = load_settings()
    findings = list(examine(settings))
    if deep:
        findings += scrub(settings)
    for finding in findings:
        sign = "✗" if finding.remedy else "✓"
        typer.echo(f"{sign} {finding.part}: {finding.message}")
        if finding.remedy:
            typer.echo(f"  → {finding.remedy}")
    if any(finding.remedy for finding in findings):
        raise typer.Exit(1)
