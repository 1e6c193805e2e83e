"""Settings: environment (`MODELWRIGHT_*`) over a TOML file over defaults, each with its unit."""

import shutil
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator, DirectoryPath, Field, SecretStr, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from modelwright.core.config.setting_types import (
    AuditDays,
    Bucket,
    Days,
    Domains,
    Email,
    Folder,
    HostNames,
    Hosts,
    MiB,
    PeerAddress,
    PerTier,
    Proxies,
    RedisAddress,
    Seconds,
    Sender,
    Share,
    WebAddress,
    WebAddresses,
)
from modelwright.core.limits.contract import GB, Limits

PREFIX = "MODELWRIGHT_"
FILE = "modelwright.toml"
DEFAULT_DISK_SHARE = 0.3
"""What one account's uploads may take of the disk unless the operator says; two leave room."""
DEFAULT_BUCKET_GB = 1024
"""What they may take of a bucket, whose size nobody knows, in GiB."""
DATABASE = "modelwright.sqlite"
"""The name of the embedded database in the data folder."""
CLUSTER_SECRET_LETTERS = 32
"""With fewer, whoever hears machines greet each other could try to find it."""
ANY_ADDRESS = ("0.0.0.0", "[::]")  # noqa: S104 - what others cannot be told of


class Settings(BaseSettings):
    """Everything an operator can set; `docs/reference/settings.md` lists each one."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        toml_file=FILE,
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    data_dir: Folder = Path("data")
    """Folder of everything that must be kept: database, objects, secrets."""
    database_url: str = ""
    """Address of the database (`postgresql+psycopg://user:password@host/name`); empty means SQLite
    in the data folder."""
    redis_url: RedisAddress = SecretStr("")
    """Address of a Redis (`redis://`, `rediss://`, `unix://`) that counts rates for servers on
    several machines; empty means each machine counts in its data folder."""
    s3_bucket: Bucket = ""
    """Bucket of an S3-compatible storage that holds the objects ([how](#objects-in-s3)); empty
    means the data folder does."""
    s3_endpoint: WebAddress = ""
    """Address of that storage, which clients must reach too; empty means Amazon's in the region."""
    s3_region: str = "us-east-1"
    """Region that requests to that storage are signed for."""
    s3_access_key: SecretStr = SecretStr("")
    """Access key of that storage."""
    s3_secret_key: SecretStr = SecretStr("")
    """Secret key of that storage."""
    s3_virtual_host: bool = False
    """Whether the bucket is named in the host of addresses, not in their path."""
    s3_cache_mb: int = Field(default=10_240, ge=0, le=2**24)
    """Local copies of objects that are kept in the data folder for the next use, in MiB."""
    public_url: WebAddress = ""
    """Address that answers point to, without a trailing slash; empty means the request's own."""
    allowed_hosts: HostNames = ""
    """Comma-separated host names that requests may call this server by, beside this machine's own
    and the address they come in at; `*` means any. Where a public address is set, any may where
    this is empty."""
    operator_email: Email = "operator@localhost"
    """E-mail of the account made at the first start."""
    oidc_issuer: str = ""
    """Address of the OpenID Connect provider that people sign in to the console by; empty: none."""
    oidc_client_id: str = ""
    """What this server is called at that provider."""
    oidc_client_secret: SecretStr = SecretStr("")
    """Secret of this server at that provider; empty where it gave none."""
    oidc_name: str = "single sign-on"
    """What the button says: Sign in with …"""
    oidc_domains: Domains = ""
    """Comma-separated domains whose e-mails get a `basic` account when they first sign in by the
    provider; empty: only accounts that exist."""
    console_idle_minutes: float = Field(default=30.0, gt=0, le=20_160)
    """How long somebody signed in to the console may do nothing, in minutes."""
    console_hours: float = Field(default=12.0, gt=0, le=720)
    """How long somebody may be signed in to the console at all, in hours."""
    build_seconds: Seconds = 60.0
    """Deadline of one build, in seconds."""
    build_memory_mb: MiB = Field(default=6144, ge=512)
    """Memory one build's process may use, and each of its fits on Ray, in MiB."""
    ray_address: str = ""
    """Address of a Ray cluster (`ray://host:10001`, `host:6379` or `auto`) whose machines carry out
    the fits of builds ([how](how-to/many-machines.md#builds-on-ray)); empty: the worker does."""
    builds_at_once: int = Field(default=1, ge=1)
    """Builds the worker runs at the same time."""
    builds_per_account: PerTier = "1,2,4"
    """Builds one account may have running at the same time, one number for all or those of
    basic,pro,enterprise; more wait."""
    short_jobs_at_once: int = Field(default=2, ge=1)
    """Short jobs (all but builds and ingestions) the worker runs at the same time."""
    short_jobs_per_account: PerTier = "2,4,8"
    """Short jobs one account may have running at the same time, likewise."""
    ingestions_at_once: int = Field(default=2, ge=1)
    """Readings from databases the worker runs at the same time."""
    ingestions_per_account: PerTier = "1,2,4"
    """Readings from databases one account may have running at the same time, likewise."""
    extra_jobs_at_most: int = Field(default=4, ge=0)
    """Jobs that go beside those while they take all places: one small job of each account that has
    none running of its sort."""
    small_job_mb: int = Field(default=32, ge=1)
    """Data that a job may read to count as small, in MiB."""
    processing_memory_mb: MiB = 1200
    """Memory the processing of one file may use, in MiB."""
    processing_seconds: Seconds = 1800.0
    """Deadline for processing one file, in seconds."""
    analysis_memory_mb: MiB = Field(default=1536, ge=512)
    """Memory the analysis of one file may use, in MiB."""
    analysis_seconds: Seconds = 1800.0
    """Deadline for analysing one file, in seconds."""
    query_processes: int = Field(default=4, ge=1)
    """Processes that run queries at the same time; a session keeps its own while there is room."""
    query_processes_per_account: PerTier = "3"
    """Of them, those whose queries are one account's, one number for all or those of
    basic,pro,enterprise; more wait."""
    query_processes_reserved: int = Field(default=2, ge=0)
    """Processes beside those, each for the query of an account that has none running."""
    preview_processes: int = Field(default=2, ge=1)
    """Processes that read previews of files at the same time, and as many again of accounts that
    have none running."""
    preview_seconds: Seconds = 10.0
    """Deadline for reading one preview of a file, in seconds."""
    query_memory_mb: MiB = 1024
    """Memory one session's queries may use, in MiB."""
    cluster_listen: PeerAddress = ""
    """Address (`host:port`) at which machines that share the database reach this one, to use each
    other's replicas and sessions ([how](how-to/many-machines.md#one-service-of-several-machines));
    empty: they do not."""
    cluster_address: PeerAddress = ""
    """Address announced to other machines instead, where it listens on all or behind a gateway."""
    cluster_secret: SecretStr = SecretStr("")
    """Secret of 32 characters at least by which these machines know each other and keep what they
    say secret; of several, comma-separated, the first one is used and all are trusted."""
    predictions_waiting: int = Field(default=256, ge=0)
    """Predictions that may wait for a thread of an API process; more are refused (503)."""
    replicas_at_most: int = Field(default=8, ge=1)
    """Replica processes of all deployments that this machine runs at the same time."""
    replicas_per_account: int = Field(default=0, ge=0)
    """How many of them one account's deployments may take; 0 means all."""
    language_model_file: str = ""
    """Comma-separated GGUF files of language models that read questions on this machine, beside
    those that are installed ([how](how-to/language-models.md)); empty: only those."""
    language_model_memory_mb: MiB = 3072
    """Memory the process of one such model may use, its file included, in MiB."""
    language_model_url: WebAddresses = ""
    """Comma-separated base addresses of OpenAI-compatible endpoints whose models read questions;
    empty: none."""
    language_model: str = ""
    """Comma-separated names of the models that are asked there, one for each address."""
    language_model_key: SecretStr = SecretStr("")
    """Comma-separated keys of those endpoints, one for each address, or one for all."""
    language_model_seconds: Seconds = 12.0
    """How long one model may take over a question, in seconds."""
    language_model_sees_values: bool = False
    """Whether endpoints are sent values of the data that a question is about, and ranges of
    columns; names and types they always are. Models on this machine see them anyway."""
    answer_confidence: Share | None = None
    """The share of answers to questions in words that must be right; what is less sure is asked
    back or refused."""
    export_memory_mb: MiB = 1024
    """Memory the writing of one exported file may use, in MiB."""
    export_seconds: Seconds = 1800.0
    """Deadline for writing one exported file, in seconds."""
    scoring_memory_mb: MiB = Field(default=2048, ge=512)
    """Memory the scoring of one file, or of a step of it, may use, in MiB."""
    scoring_seconds: Seconds = 3600.0
    """Deadline for one step of a scoring, and for joining what the steps made, in seconds."""
    scoring_step_rows: int = Field(default=983_040, ge=1)
    """Rows of a file that a worker scores at a time; other workers take the next ones, and what a
    worker leaves behind is done again. Each step loads the model once."""
    monitoring_days: Days = 30
    """How long counts of what was asked, predictions and their truths are kept, in days."""
    predictions_kept: int = Field(default=1_000_000, ge=0, le=10**9)
    """Newest predictions of a version that are kept for truths to come; 0 means none."""
    secret_key: SecretStr = SecretStr("")
    """Secret that seals stored databases' passwords; empty means one made in the data folder."""
    secret_key_fallbacks: SecretStr = SecretStr("")
    """Comma-separated earlier values of it, which open what they sealed until `modelwright
    rotate-key` has sealed it anew."""
    database_hosts: Hosts = ""
    """Comma-separated names, addresses or networks of databases that may be reached; empty: any
    that this machine reaches, its own services among them."""
    sqlite_folder: DirectoryPath | None = None
    """Folder whose SQLite files may be connected; none are where it is not set."""
    mysql_public_keys: bool = False
    """Whether a password may be sealed with the key that a MySQL server sends without TLS."""
    ingestion_memory_mb: MiB = 1024
    """Memory the reading from a database may use, in MiB."""
    ingestion_seconds: Seconds = 3600.0
    """Deadline for reading from a database once, in seconds."""
    smtp_host: str = ""
    """Mail server that announces exports; empty: no mail is sent."""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    """Port of the mail server."""
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    """How the connection to the mail server is protected: starttls, tls or none."""
    smtp_user: str = ""
    """User at the mail server; empty: no sign-in."""
    smtp_password: SecretStr = SecretStr("")
    """Password at the mail server."""
    mail_from: Sender = ""
    """Sender of mail; empty means the operator's e-mail."""
    job_retention_days: Days = 90
    """How long jobs that ended are kept with their logs, in days."""
    audit_retention_days: AuditDays = 730
    """How long entries of the audit log are kept, in days; 30 at least."""
    audit_required: bool = True
    """Whether a request fails whose entry in the audit log can't be written; otherwise that is
    logged as an error."""
    trash_days: Days = 7
    """How long deleted models and uploads, and stored objects that no row names, lie in the trash
    before they are removed, in days."""
    lease_seconds: Seconds = Field(default=15.0, gt=1)
    """How long a silent worker keeps a job before another takes it over, in seconds."""
    hung_seconds: Seconds = Field(default=60.0, ge=2)
    """How long a process of the server may give no sign of life before it is killed and started
    again, in seconds."""
    drain_seconds: float = Field(default=20.0, ge=0, le=86_400)
    """How long requests in flight may go on after SIGTERM, in seconds."""
    tls_cert: Path | None = None
    """Certificate chain (PEM) to serve HTTPS with; needs the key too."""
    tls_key: Path | None = None
    """Private key (PEM) of the certificate."""
    tls_by_proxy: bool = False
    """Whether a proxy in front ends TLS, so that serving other machines in clear is meant."""
    download_minutes: float = Field(default=15.0, gt=0, le=1440)
    """How long an address that gives an exported file away without a key works, in minutes."""
    account_storage_gb: int | None = Field(default=None, ge=0)
    """Room that one account's uploads may take, and its exports as well, in GiB; 0 means any. Where
    it is not set: three tenths of the disk that holds them, or 1024 in a bucket."""
    trusted_proxies: Proxies = ""
    """Comma-separated addresses whose `X-Forwarded-*` headers are believed."""
    requests_per_minute_enterprise: int = Field(default=0, ge=0)
    """Request rate of the enterprise tier, a minute; 0 means unlimited."""
    enforce_credits: bool = False
    """Whether builds are refused when an account's credits are used up."""
    metrics_port: int = Field(default=0, ge=0, le=65535)
    """Port of the numbers for Prometheus; 0 means none are served."""
    metrics_host: str = "127.0.0.1"
    """Address the numbers for Prometheus are served at."""
    otlp_endpoint: WebAddress = ""
    """Base address of an OpenTelemetry collector (OTLP over HTTP) that traces and metrics are
    exported to ([how](how-to/observe.md#traces-and-metrics-for-opentelemetry)); empty: none are."""
    otlp_headers: SecretStr = SecretStr("")
    """Comma-separated `name=value` headers of each export, such as the collector's key."""
    otlp_share: float = Field(default=1.0, ge=0, le=1)
    """The share of requests and jobs that are traced, unless the caller's trace decides."""
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        BeforeValidator(lambda word: str(word).lower()),
    ] = "info"
    """Least severe level that is logged: debug, info, warning or error."""

    @model_validator(mode="after")
    def _has_keys_of_the_bucket(self) -> Self:
        keys = (self.s3_access_key.get_secret_value(), self.s3_secret_key.get_secret_value())
        if self.s3_bucket and not all(keys):
            raise ValueError(
                "MODELWRIGHT_S3_BUCKET needs MODELWRIGHT_S3_ACCESS_KEY and _S3_SECRET_KEY with it"
            )
        return self

    @model_validator(mode="after")
    def _shares_what_a_cluster_shares(self) -> Self:
        """Refuses machines that reach each other without one database, storage and secret."""
        if not self.cluster_listen:
            return self
        secrets = listed(self.cluster_secret.get_secret_value())
        if not secrets or min(map(len, secrets)) < CLUSTER_SECRET_LETTERS:
            raise ValueError(
                "MODELWRIGHT_CLUSTER_LISTEN needs a MODELWRIGHT_CLUSTER_SECRET of"
                f" {CLUSTER_SECRET_LETTERS} random characters at least, the same on each machine"
            )
        lacking = [
            name
            for name, given in (
                ("DATABASE_URL (PostgreSQL)", self.database_url.startswith("postgresql")),
                ("S3_BUCKET", self.s3_bucket),
                ("SECRET_KEY", self.secret_key.get_secret_value()),
            )
            if not given
        ]
        if lacking:
            raise ValueError(
                f"MODELWRIGHT_CLUSTER_LISTEN needs MODELWRIGHT_{lacking[0]} with it: machines that"
                " reach each other share it"
            )
        host = self.cluster_listen.rpartition(":")[0]
        if host in ANY_ADDRESS and not self.cluster_address:
            raise ValueError(
                f"MODELWRIGHT_CLUSTER_LISTEN at {host} needs MODELWRIGHT_CLUSTER_ADDRESS, the"
                " address that other machines are told of"
            )
        return self

    @model_validator(mode="after")
    def _has_a_model_for_each_endpoint(self) -> Self:
        addresses = listed(self.language_model_url)
        if len(listed(self.language_model)) not in {0, len(addresses)} and addresses:
            raise ValueError(
                "MODELWRIGHT_LANGUAGE_MODEL must name one model for each address of"
                " MODELWRIGHT_LANGUAGE_MODEL_URL"
            )
        keys = listed(self.language_model_key.get_secret_value())
        if addresses and len(keys) not in {0, 1, len(addresses)}:
            raise ValueError(
                "MODELWRIGHT_LANGUAGE_MODEL_KEY must hold one key for all addresses of"
                " MODELWRIGHT_LANGUAGE_MODEL_URL, or one for each"
            )
        return self

    @model_validator(mode="after")
    def _has_a_whole_provider(self) -> Self:
        if self.oidc_issuer and not is_sealed(self.oidc_issuer):
            raise ValueError(
                "MODELWRIGHT_OIDC_ISSUER must begin with https:// (http:// only on this machine)"
            )
        if self.oidc_issuer and not self.oidc_client_id:
            raise ValueError("MODELWRIGHT_OIDC_ISSUER needs MODELWRIGHT_OIDC_CLIENT_ID with it")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Puts arguments first, then the environment, then the file."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)

    @cached_property
    def database(self) -> str:
        """The database's address, the embedded one where none is set."""
        if self.database_url:
            return self.database_url
        path = str(self.data_dir.resolve() / DATABASE)
        return "sqlite:///" + path.replace("%", "%25").replace("?", "%3F")

    @cached_property
    def limits(self) -> Limits:
        """The contract's limits, with what the operator sets."""
        if self.account_storage_gb is not None:
            return Limits(account_bytes=self.account_storage_gb * GB)
        if self.s3_bucket:
            return Limits(account_bytes=DEFAULT_BUCKET_GB * GB)
        folder = self.data_dir.resolve()
        while not folder.exists():
            folder = folder.parent
        return Limits(account_bytes=int(DEFAULT_DISK_SHARE * shutil.disk_usage(folder).total))

    @cached_property
    def objects_dir(self) -> Path:
        """Folder of the stored objects."""
        return self.data_dir / "objects"

    @cached_property
    def copies_dir(self) -> Path:
        """Folder of local copies of objects that lie in a bucket."""
        return self.data_dir / "copies"

    @cached_property
    def bucket_url(self) -> str:
        """Address of the bucket of objects; empty where the data folder holds them."""
        if not self.s3_bucket:
            return ""
        endpoint = self.s3_endpoint or f"https://s3.{self.s3_region}.amazonaws.com"
        if not self.s3_virtual_host:
            return f"{endpoint}/{self.s3_bucket}"
        return endpoint.replace("://", f"://{self.s3_bucket}.", 1)

    @cached_property
    def scratch_dir(self) -> Path:
        """Folder for work in progress; emptied at start."""
        return self.data_dir / "scratch"

    @cached_property
    def parts_dir(self) -> Path:
        """Folder of what supervisors write down of their processes."""
        return self.scratch_dir / "parts"

    def make_data_dir(self) -> None:
        """Makes the data folder for its owner alone; one that is there stays as it is."""
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)


def is_sealed(address: str) -> bool:
    """Tells whether nobody can read along on the way to an address: TLS, or this machine itself."""
    parts = urlsplit(address)
    is_here = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and is_here)
    )


def listed(text: str) -> list[str]:
    """Splits what is separated by commas."""
    return [one for one in map(str.strip, text.split(",")) if one]
