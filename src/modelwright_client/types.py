"""What the server takes and answers: made from its OpenAPI document by `make openapi`.

Types that were written by hand would drift from the server unseen; a test compares these with the
document.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Account(TypedDict):
    """An account, as operators see it."""

    user_id: str
    """Id of the account."""

    email: str
    """E-mail of the account."""

    tier: str
    """What decides how much the account may do at the same time."""

    credits: int
    """Units the operator granted."""

    consumption: int
    """Units used so far."""

    is_active: bool
    """Whether the account is active."""

    is_operator: bool
    """Whether it is the account that was made with the server."""

    created_at: str
    """When it was made."""


class AmendKey(TypedDict):
    """Changes a key's name or expiry; the level is fixed for good."""

    name: NotRequired[str | None]
    """The new name."""

    expiration_days: NotRequired[int | None]
    """New expiry in days from now; null takes the expiry away."""


Tag: TypeAlias = str


class AmendModel(TypedDict):
    """Changes a model's name, description or tags; what is not given stays."""

    name: NotRequired[str | None]
    """The new name."""

    description: NotRequired[str | None]
    """What it is for, in words."""

    tags: NotRequired[list[Tag] | None]
    """Tags."""


AnalysisType: TypeAlias = Literal["basic", "comprehensive"]


class AuditEntry(TypedDict):
    """An entry of the audit log."""

    entry_id: str
    """Id of the entry."""

    at: str
    """When it was done."""

    account_id: str
    """The account that was acted in."""

    actor: str
    """E-mail of who acted, or `command line`."""

    key_id: str | None
    """Id of a key."""

    operation: str
    """Resource and verb, such as `keys.revoke`."""

    resource: str
    """What was changed."""

    path: str
    """Path of the request."""

    address: str
    """Address the request came from."""

    request_id: str
    """Id of the request, as in the log."""


class BeginSecondFactor(TypedDict):
    """Asks for the secret of a second factor."""

    password: str
    """Password of the account, so that nobody else can do this from an open browser."""


class BuildLogEntry(TypedDict):
    """A log line of a build."""

    job_id: str
    """Id of a job."""

    model_name: str
    """Name of the model, as in its address."""

    timestamp: str
    """When it was written."""

    level: str
    """Severity."""

    message: str
    """A sentence."""


class BuildStarted(TypedDict):
    """A build that waits to start."""

    job_id: str
    """Id of a job."""

    status: NotRequired[Literal["PENDING"]]
    """Status."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    created_at: str
    """When it was made."""


class CardData(TypedDict):
    """The data that a version was trained and measured on."""

    dataset_id: str
    """An upload's id, a dataset's name, or `name@v1.2`."""

    dataset_name: str | None
    """Name of a dataset."""

    rows: int
    """Rows with a target."""

    held_out_rows: int
    """Rows that the metrics and curves were taken on; no model saw them before."""

    sha256: str | None
    """The SHA-256 of the tables as they were read; null of versions older than this."""

    target: dict[str, Any]
    """`classes` with their `shares`, or the quantiles of a number."""


class CatalogItem(TypedDict):
    """One item of a catalog."""

    value: str | int | bool | list[str] | None
    """The value in force."""

    inferred: str | int | bool | list[str] | None
    """What was inferred from the data and the names."""

    reason: str | None
    """Why it was inferred so."""

    corrected: bool
    """Whether somebody corrected it."""


class CatalogMetric(TypedDict):
    """A named aggregate."""

    name: str
    """What questions call it."""

    table: str
    """Name of the table in SQL."""

    expression: str
    """SQL over the table's columns."""

    synonyms: list[str]
    """Other words that questions call it by."""

    filter: str
    """SQL that rows must meet; empty without one."""

    reason: NotRequired[str | None]
    """Why it was inferred; null where somebody defined it."""

    corrected: NotRequired[bool]
    """Whether somebody defined it."""


class CatalogReference(TypedDict):
    """The rows that a column's values name, many to one."""

    table: str
    """Name of the table in SQL."""

    column: str
    """Name of a column."""

    dataset: NotRequired[str | None]
    """Name of the dataset of that table, where it is another one."""

    role: NotRequired[str | None]
    """What the other row is to this one: `shipping`."""


class CatalogRelationship(TypedDict):
    """A many-to-one key: each row of the table has at most one of the other."""

    table: str
    """Table of the rows that name."""

    column: str
    """Column whose values name rows."""

    to_table: str
    """Table of the rows that are named."""

    to_column: str
    """Column that holds the same values once each."""

    role: str
    """What the other row is to this one; empty where the table's name says so."""

    orphans: int | None
    """Rows whose key is given and names no row; null where they were not counted."""

    reason: str | None
    """Why."""

    corrected: bool
    """Whether somebody corrected it."""


class CatalogSynonym(TypedDict):
    """Words that questions call a column, a metric or a value by."""

    words: str
    """The words."""

    origin: Literal["correction", "verified_question"]
    """Who said it."""

    query_id: str | None
    """The verified question that showed it."""

    value: NotRequired[str | float | bool | None]
    """The value of the column that they mean; null where they mean the column itself."""


class CatalogUnused(TypedDict):
    """A correction of something that this version lacks; it is kept."""

    field: str
    """The correction."""

    message: str
    """A sentence."""


class ColumnInfo(TypedDict):
    """A column."""

    name: str
    """Name of the column."""

    type: Literal["string", "integer", "float", "boolean", "date"]
    """What kind it is."""

    nullable: bool
    """Whether values are missing."""

    unique: bool
    """Whether no value occurs twice."""

    unit: NotRequired[str]
    """What all its numbers were written with in the file (`%`, a currency); empty where nothing."""


Synonym: TypeAlias = str


class ColumnPatch(TypedDict):
    """Corrections of a column; null takes one back."""

    label: NotRequired[str | None]
    """What the numbers are."""

    role: NotRequired[Literal["id", "dimension", "flag", "date", "measure"] | None]
    """What it is for."""

    additivity: NotRequired[Literal["sum", "average", "neither"] | None]
    """How a measure may be put together over rows."""

    unit: NotRequired[str | None]
    """What a measure is counted in."""

    format: NotRequired[str | None]
    """What the files are written as."""

    synonyms: NotRequired[list[Synonym] | None]
    """Other words that questions call it by."""

    private: NotRequired[bool | None]
    """Whether none of its values may be shown to a language model."""

    references: NotRequired[CatalogReference | Literal["none"] | None]
    """The rows that its values name; `none` says that they name none."""


class CompleteFile(TypedDict):
    """Says that all parts of a file have been sent."""

    sha256: NotRequired[str | None]
    """SHA-256 of the whole file in lower-case hexadecimal; another one is refused."""


class Connection(TypedDict):
    """A stored connection, without its password."""

    connection_id: str
    """Id of a stored connection."""

    name: str
    """Name for people."""

    type: str
    """What kind of database it is."""

    host: str | None
    """Name or address of the server; null for a file."""

    port: int | None
    """Port of the server."""

    database: str
    """Name of the database, or path of its file."""

    username: str | None
    """Who to sign in as; null for a file."""

    options: dict[str, str]
    """Further options of the driver."""

    status: Literal["connected", "failed"]
    """Whether it could be reached the last time."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    created_at: str
    """When it was made."""

    last_used_at: str | None
    """When it was last used; null where it never was."""


class ConnectionDeleted(TypedDict):
    """A deleted connection."""

    connection_id: str
    """Id of a stored connection."""

    status: NotRequired[Literal["deleted"]]
    """Status."""

    deleted_at: str
    """When it was deleted."""


class ConsoleSession(TypedDict):
    """A browser's session, and the token that each of its calls must carry."""

    user_id: str
    """Id of the account."""

    email: str
    """E-mail of the account."""

    name: str
    """Name of the person."""

    level: str
    """What the session may do."""

    csrf_token: str
    """To be sent as `X-CSRF-Token` with the cookie."""

    expires_at: str
    """When it ends, unless it is used before."""


class Correlation(TypedDict):
    """The correlation of two columns."""

    feature1: str
    """One column."""

    feature2: str
    """The other column."""

    correlation: float
    """From -1 to 1."""

    measure: str
    """`pearson`, `cramers_v` or `correlation_ratio`."""

    rows: int
    """Rows it was measured on."""


class Costs(TypedDict):
    """What wrong answers cost, in any one unit."""

    false_positive: float
    """Cost of predicting the positive class wrongly."""

    false_negative: float
    """Cost of missing the positive class."""


class CreateAnalysis(TypedDict):
    """Starts an analysis of a complete upload."""

    upload_id: str
    """Id of an upload."""

    files: NotRequired[list[str] | None]
    """Names of the files to analyse; all by default."""

    analysis_type: NotRequired[AnalysisType | None]
    """`comprehensive` also measures pairs with categories and draws every column."""


class CreateConnection(TypedDict):
    """A connection to be stored; it is opened once as a test."""

    name: str
    """Name for people."""

    type: Literal["postgresql", "mysql", "sqlite"]
    """`mysql` is MariaDB too."""

    host: NotRequired[str | None]
    """Name or address; needed except for `sqlite`."""

    port: NotRequired[int | None]
    """By default 5432 for `postgresql`, 3306 for `mysql`."""

    database: str
    """For `sqlite`: a path inside the folder that the operator names."""

    username: NotRequired[str | None]
    """Needed except for `sqlite`."""

    password: NotRequired[str | None]
    """Sealed at rest; it never comes back."""

    options: NotRequired[dict[str, str] | None]
    """`sslmode`: `disable`, `prefer` (the default), `require` or `verify-full`."""


class CreateExport(TypedDict):
    """Starts an export of an upload's files."""

    upload_id: str
    """Id of an upload."""

    files: NotRequired[list[str] | None]
    """Names of files; by default all."""

    format: NotRequired[Literal["csv", "json", "parquet"] | None]
    """By default each file is given as it was uploaded."""

    include_headers: NotRequired[bool | None]
    """Whether CSV files begin with the columns' names."""

    email_notification: NotRequired[bool | None]
    """Whether a mail goes to the account when the files are ready."""


class CreateIngestion(TypedDict):
    """What to import: either `table` or `query`."""

    connection_id: str
    """Id of a stored connection."""

    table: NotRequired[str | None]
    """The table to import."""

    query: NotRequired[str | None]
    """One statement that reads; the database sees it in a read-only transaction."""

    dataset_name: str
    """Every run is a new version of this dataset."""

    schedule: NotRequired[str | None]
    """A cron line in UTC: minute, hour, day of month, month, day of week."""


class CreateSession(TypedDict):
    """Opens a session over a complete upload."""

    upload_id: NotRequired[str | None]
    """Required unless `dataset_ids` says what the session is over."""

    dataset_ids: NotRequired[list[str] | None]
    """
    Datasets whose tables the session holds: names (`orders`, the newest version; `orders@v1.0`)
    or ids of uploads, of ingestions too.
    """

    name: NotRequired[str | None]
    """Defaults to the upload's."""

    expiration_hours: NotRequired[int | None]
    """How long the session lasts, in hours."""


Name: TypeAlias = str


class Credentials(TypedDict):
    """Credentials to sign in with."""

    email: str
    """E-mail of the account."""

    password: str
    """Password of the account."""

    code: NotRequired[str | None]
    """Of the second factor where the account has one; a recovery code stands in for it."""


class DatabaseTable(TypedDict):
    """A table that can be imported."""

    name: str
    """What to ask for it by: with its schema where it is not found without."""

    schema: str | None
    """Schema the table is in; null where there are none."""

    kind: Literal["table", "view"]
    """What it is."""

    rows: int | None
    """The database's own estimate, where it has one."""


class DatasetVersion(TypedDict):
    """A version of a dataset."""

    version: str
    """Label such as `v1.0`."""

    upload_id: str
    """Id of an upload."""

    created_at: str
    """When its upload was completed."""

    status: NotRequired[Literal["complete"]]
    """Status."""

    file_count: int
    """How many files it has."""

    total_size_bytes: int
    """Size of all files in bytes."""


Filename: TypeAlias = str


class Deploy(TypedDict):
    """Deploys a version."""

    environment: NotRequired[Literal["production", "staging", "development"] | None]
    """Environment of the deployment."""

    replicas: NotRequired[int | None]
    """Number of processes that answer; with `auto_scale` the maximum."""

    auto_scale: NotRequired[bool | None]
    """Whether the number of replicas follows the load."""

    model_version: NotRequired[str | None]
    """The version to deploy; the newest READY one by default."""


DeploymentStatus: TypeAlias = Literal["DEPLOYED", "DEPLOYING", "UNDEPLOYED"]


class Distribution(TypedDict):
    """The distribution of a column, or of the predictions, in training and recently."""

    name: str
    """The column, or the target."""

    kind: str
    """number, date, text (its length) or category; class or value for the predictions."""

    status: str
    """`stable`, `watch`, `moved`, or `not_enough_data` below 100 rows."""

    psi: float | None
    """Population stability index: 0 for no change, above 0.25 for a large one."""

    noise: float | None
    """What the index may reach by chance alone; below it nothing counts as drift."""

    bins: list[str]
    """Names of the bins."""

    training: list[float]
    """Share of the rows in each bin."""

    lately: list[float] | None
    """Share of the rows in each bin in the window; null without rows."""


class EndedConsoleSession(TypedDict):
    """A session of the console that its owner ended."""

    console_session_id: str
    """Id of a session of the console."""

    ended_at: str
    """When it ended."""


class EndpointChange(TypedDict):
    """A time that a version was in service."""

    model_version: str
    """Label of the version."""

    since: str
    """When it came into service."""

    until: str | None
    """When it went out of service; null while it is there."""

    changed_by: str | None
    """Who put it in service; null where the first version came by itself."""

    key_name: str | None
    """Name of the API key that was used; null for the console."""


class EndpointDetail(TypedDict):
    """The stable address of a model in an environment, and the version in service there."""

    model_name: str
    """Name of the model, as in its address."""

    environment: Literal["production", "staging", "development"]
    """Environment of the deployment."""

    model_version: str
    """The version in service."""

    former_version: str | None
    """The version that a rollback leads to; null where there is none."""

    endpoint: str
    """Where it answers, whichever version is in service."""

    deployment_id: str | None
    """The deployment whose replicas answer; null where the API itself does."""

    since: str
    """Since when this version is in service."""

    changed_by: str | None
    """Who put it in service; null where the first version came by itself."""

    key_name: str | None
    """Name of the API key that was used; null for the console."""


class ExportedFile(TypedDict):
    """A file to download."""

    filename: str
    """Name of the file."""

    size_bytes: int
    """Size in bytes."""

    download_url: str
    """Works without a key until `download_url_expires_at`; each reading of the export gives one."""

    download_url_expires_at: str
    """When that address stops working; each reading of the export gives a new one."""

    expires_at: str
    """When the file is removed."""

    notice: str | None
    """Of scored files: how many rows have no prediction, and why the first has none."""


class FeedbackTaken(TypedDict):
    """How many outcomes were recorded."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    accepted: int
    """Outcomes of known predictions; one that is sent again counts again."""

    unknown: list[str]
    """Requests without a known prediction: of another version, too old, or never answered."""


class FileBroken(TypedDict):
    """Why a file could not be read as a table."""

    message: str
    """A sentence."""

    line: int | None
    """Line, or row of a sheet, counted from 1; null where it is not known."""

    expected: str | None
    """What the server expected there."""


class FileComplete(TypedDict):
    """A file that has arrived completely."""

    upload_id: str
    """Id of an upload."""

    filename: str
    """Name of the file."""

    object_key: str
    """Key of the stored object."""

    size_bytes: int
    """Size in bytes."""

    sha256: str | None
    """Null where the storage has not read the file yet."""


class FileOptions(TypedDict):
    """How a file is to be read; what is left out is guessed from its bytes."""

    sheet: NotRequired[str | None]
    """Name of the sheet of a workbook, or its number from 1; with cells as `Data!A1:F20`."""

    delimiter: NotRequired[str | None]
    """The character between cells; `tab` for tabs."""

    encoding: NotRequired[str | None]
    """Such as utf-8, windows-1250 or gbk."""

    header_rows: NotRequired[int | None]
    """How many rows name the columns; with 0 names are made up."""

    skip_rows: NotRequired[int | None]
    """How many rows above those to skip."""

    types: NotRequired[dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None]
    """Types of columns by their names; a file with other values is refused."""

    decimal: NotRequired[Literal[".", ","] | None]
    """The decimal separator."""

    null_values: NotRequired[list[str] | None]
    """Texts that mean a missing value."""


class FileProgress(TypedDict):
    """How much of a file has arrived."""

    upload_id: str
    """Id of an upload."""

    filename: str
    """Name of the file."""

    object_key: str
    """Key of the stored object."""

    size_bytes: int | None
    """The declared size; null for a file that was declared without one."""

    received_bytes: int
    """Bytes of the file that have arrived."""

    is_complete: bool
    """Whether the file is whole, so that it can be confirmed."""


class Ingestion(TypedDict):
    """The state of an ingestion."""

    ingestion_id: str
    """Id of an ingestion."""

    connection_id: str
    """Id of a stored connection."""

    table: str | None
    """The table that is read; null with a query."""

    query: str | None
    """The SELECT statement that is read; null with a table."""

    dataset_name: str
    """Name of a dataset."""

    schedule: str | None
    """A cron line in UTC."""

    status: Literal["pending", "running", "completed", "failed"]
    """Of the newest run; completed means that its upload is in place and being processed."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    job_id: str
    """The newest run's."""

    upload_id: str | None
    """Of the newest run that was completed."""

    rows: int | None
    """Rows."""

    created_at: str
    """When it was made."""

    completed_at: str | None
    """When it ended; null while it has not."""

    next_run_at: str | None
    """When the schedule imports it again; null without a schedule."""


class IngestionDeleted(TypedDict):
    """A deleted ingestion."""

    ingestion_id: str
    """Id of an ingestion."""

    status: NotRequired[Literal["deleted"]]
    """Status."""

    deleted_at: str
    """When it was deleted."""


class InputDomain(TypedDict):
    """What a column held in training; null where that does not apply or is not known."""

    required: bool
    """Whether a row must have it: the training data never lacked it."""

    low: NotRequired[float | None]
    """The least of its numbers."""

    high: NotRequired[float | None]
    """The greatest of its numbers."""

    values: NotRequired[list[str] | None]
    """The values of a category, the most frequent first, up to 100."""

    unit: NotRequired[str | None]
    """The unit of its numbers (`%`, a currency's sign or code); rows are in it too."""


class Insight(TypedDict):
    """A finding."""

    type: str
    """What was found."""

    message: str
    """A sentence."""

    severity: str
    """`low`, `medium` or `high`."""

    columns: list[str]
    """Columns it is about."""


AllowedNetwork: TypeAlias = str


class IssueKey(TypedDict):
    """Asks for a new key."""

    name: str
    """Name for people; two keys may have one."""

    permission_level: Literal["read_only", "read_write"]
    """Permission level."""

    expiration_days: NotRequired[int | None]
    """Days from now; no expiry when absent. A key with an end can't make one that ends later."""

    scopes: NotRequired[list[Literal["models", "predictions", "datasets"]] | None]
    """Parts of the account that the key is for; by default all that the caller's has."""

    allowed_networks: NotRequired[list[AllowedNetwork] | None]
    """Addresses and networks (CIDR) that the key may come from; by default as the caller's."""


class ItemPurged(TypedDict):
    """What was removed for good."""

    item_id: str
    """Id of the model or the upload."""

    kind: Literal["model", "upload"]
    """Whether it is a model or an upload."""

    name: str
    """Name for people."""

    status: NotRequired[Literal["purged"]]
    """Status."""


class ItemRestored(TypedDict):
    """What was restored."""

    item_id: str
    """Id of the model or the upload."""

    kind: Literal["model", "upload"]
    """Whether it is a model or an upload."""

    name: str
    """Name for people."""

    status: NotRequired[Literal["restored"]]
    """Status."""


class JobLogEntry(TypedDict):
    """A log line of a job."""

    job_id: str
    """Id of a job."""

    sequence: int
    """Rises from line to line; `Last-Event-ID` of the job's events takes it."""

    timestamp: str
    """When it was written."""

    level: str
    """Severity."""

    message: str
    """A sentence."""


class KeyRevoked(TypedDict):
    """A revoked key."""

    key_id: str
    """Id of a key."""

    status: Literal["revoked"]
    """Status."""

    revoked_at: str
    """When it was revoked."""


Kind: TypeAlias = Literal[
    "processing", "analysis", "export", "build", "deployment", "ingestion", "scoring"
]


class LeftOut(TypedDict):
    """A column that the model does not use."""

    column: str
    """Its name."""

    reason: str
    """Why it is left out."""


class ListedFile(TypedDict):
    """A file that was sent."""

    filename: str
    """Name of the file."""

    object_key: str
    """Key of the stored object."""


class LiveMetrics(TypedDict):
    """Accuracy of the predictions whose outcome was recorded."""

    truths: int
    """Number of recorded outcomes."""

    unknown_classes: int
    """Outcomes that are no class of the model; the metrics leave them out."""

    metrics: dict[str, Any]
    """Named as the version's `metrics`; empty without truths."""

    training_metrics: dict[str, Any]
    """The same ones on the rows held out in training."""


MachinePart: TypeAlias = Literal["api", "worker", "replicas"]


class MetricPatch(TypedDict):
    """A named aggregate."""

    table: str
    """Name of the table in SQL."""

    expression: str
    """SQL over the table's columns: `sum(quantity * unit_price)`."""

    synonyms: NotRequired[list[Synonym] | None]
    """Other words that questions call it by."""

    filter: NotRequired[str | None]
    """SQL that rows must meet."""


class MissingPart(TypedDict):
    """A part of a file that has not arrived."""

    start: int
    """The first byte of the part, counted from 0."""

    end: int
    """The byte after its last one."""

    presigned_url: str
    """PUT these bytes, and no others, to it; it needs no API key."""


class MissingParts(TypedDict):
    """Addresses for the rest of a file."""

    upload_id: str
    """Id of an upload."""

    filename: str
    """Name of the file."""

    object_key: str
    """Key of the stored object."""

    size_bytes: int | None
    """The declared size; null for a file that was declared without one."""

    received_bytes: int
    """Bytes of the file that have arrived."""

    is_complete: bool
    """Whether the file is whole, so that it can be confirmed."""

    parts: list[MissingPart]
    """
    What is missing, at most 100 parts of at most 16 MB, to be sent in this order; ask again
    after them, and after a part that broke off. Empty once all has come.
    """

    expires_at: str
    """When the addresses run out."""


class ModelAmended(TypedDict):
    """A model's name, description and tags after a change."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    name: str
    """Name for people."""

    description: str
    """What it is for, in words."""

    tags: list[str]
    """Tags."""

    updated_at: str
    """When it last changed."""


class ModelCard(TypedDict):
    """The model card of a READY version."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    name: str
    """Name for people."""

    description: str
    """What it is for, in words."""

    intent: str
    """What to predict, in words."""

    created_at: str
    """When it was made."""

    task: str
    """What kind of answer is predicted."""

    target: str
    """The column to predict."""

    algorithm: str
    """Algorithm of the version."""

    members: dict[str, float]
    """The models of the ensemble, with their weights."""

    training_time_minutes: float | None
    """How long that took, in minutes."""

    data: CardData
    """The data that it was trained and measured on."""

    input_schema: dict[str, Literal["string", "integer", "float", "boolean", "date"]]
    """Columns to learn from, with their types."""

    output_schema: dict[str, Literal["string", "integer", "float", "boolean", "date"]]
    """The column to predict, with its type."""

    libraries: dict[str, str]
    """The versions of the libraries that it was trained with."""

    plan: dict[str, Any]
    """What the build decided, with reasons, and the columns left out."""

    metrics: dict[str, Any]
    """With `confidence` (95 % intervals), `baseline`, `lift` and `calibration`."""

    feature_importance: dict[str, float]
    """Share of each feature in the importance of all, from 0 to 1."""

    curves: dict[str, Any]
    """`roc` by class, `calibration`, `residuals`: points to draw, never rows."""

    limits: list[str]
    """Limits of the model, in sentences."""


class ModelDeleted(TypedDict):
    """A deleted model, with the version that it showed last."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    status: NotRequired[Literal["DELETED"]]
    """Status."""

    deleted_at: str
    """When it was deleted."""


class ModelUsing(TypedDict):
    """A version of a model made from the upload."""

    model_id: str
    """Id of a model."""

    model_name: str
    """Name of the model, as in its address."""

    version: str
    """Number or label of the version."""


class Monitored(TypedDict):
    """Recent inputs and predictions of a version, beside its training data."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    since: str
    """Start of the window."""

    until: str
    """End of the window."""

    rows: int
    """Rows that were answered."""

    examined: int
    """Rows of them whose columns were counted: of very many at once, an evenly spread part."""

    measure: NotRequired[str]
    """The measure of drift: population stability index."""

    moved: list[str]
    """Columns that moved; the target's name where the predictions did."""

    columns: list[Distribution]
    """The most important columns, up to 100."""

    predictions: Distribution
    """Distribution of the predictions."""

    feedback: LiveMetrics
    """Live accuracy, by recorded outcomes."""


class NewPassword(TypedDict):
    """A change of the password."""

    current_password: str
    """The password until now."""

    password: str
    """The new one."""


class OpenConsoleSession(TypedDict):
    """A browser that is signed in to the console."""

    console_session_id: str
    """Id of a session of the console."""

    created_at: str
    """When it was made."""

    last_seen_at: str
    """When it was last used, to a minute."""

    expires_at: str
    """When it ends, unless it is used before."""

    address: str | None
    """Address the request came from."""

    user_agent: str | None
    """What the browser calls itself."""

    is_current: bool
    """Whether it is the one that asks."""


class Pagination(TypedDict):
    """The position of a page in the whole list."""

    total: int
    """How many there are in all."""

    limit: int
    """How many there are on a page."""

    offset: int
    """How many come before this page."""

    has_more: bool
    """Whether there are further pages."""


class Part(TypedDict):
    """The state of one part."""

    status: Literal["ok", "down"]
    """Whether it answers."""

    latency_ms: float
    """How long that took, in milliseconds."""

    message: NotRequired[str | None]
    """Why it is down, where that is known."""


class PlacedFile(TypedDict):
    """A declared file with the address that takes it."""

    filename: str
    """Name of the file."""

    presigned_url: str
    """Signed address that takes the file by PUT."""

    object_key: str
    """Key of the stored object."""

    content_type: str
    """MIME type as it was declared."""


class Planned(TypedDict):
    """What a build would do, and why."""

    plan_id: str
    """Id of the plan; a build that quotes it has the same intent, data and settings."""

    task: Literal["binary", "multiclass", "regression"]
    """What kind of answer is predicted."""

    target: str
    """The column to predict."""

    metric: str
    """What is optimised."""

    features: list[str]
    """Columns to learn from."""

    types: dict[str, str]
    """Type of the target and of every feature."""

    kinds: dict[str, str]
    """How each feature is read: number, category, date or text."""

    left_out: list[LeftOut]
    """Columns that the model does not use."""

    warnings: list[str]
    """What may spoil the result."""

    positive_class: Any
    """The positive class; null unless the task is binary."""

    output_type: str
    """Type of the prediction."""

    reasons: list[str]
    """Why it was decided so."""


class Promote(TypedDict):
    """Asks for a version to be put in service."""

    model_version: str
    """The READY version that is to answer."""


class QueryEntry(TypedDict):
    """A query and its result."""

    query_id: str
    """Id of a query."""

    query_type: str
    """SQL, or a question in words."""

    query: str
    """The question, or the SQL."""

    executed_at: str
    """When it was asked."""

    execution_time_ms: float
    """Duration in milliseconds."""

    result_type: str | None
    """`table` or `visualization`; null where it failed."""

    generated_sql: str | None
    """The SQL that ran."""

    interpretation: str | None
    """What was understood, in a sentence."""

    row_count: int | None
    """Rows that were returned."""

    verified: bool
    """Whether it was answered by a verified question."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    question: str | None
    """The whole question, where it went on from an earlier one."""

    confidence: float | None
    """How likely the reading is right, 0 to 1; null where nobody had to guess."""

    read_by: list[str]
    """The readers that agree on this reading."""

    warnings: list[str]
    """Warnings about the answer."""


class ReadAs(TypedDict):
    """How a file was read: by the given options, else by what was guessed from its bytes."""

    sheet: NotRequired[str | None]
    """The sheet of a workbook."""

    delimiter: NotRequired[str | None]
    """The character between cells, `tab` for tabs; null where there is none."""

    encoding: NotRequired[str | None]
    """The encoding."""

    header_rows: NotRequired[int | None]
    """How many rows name the columns."""

    skip_rows: NotRequired[int | None]
    """How many rows above those to skip."""

    decimal: NotRequired[str | None]
    """The decimal separator."""

    null_values: NotRequired[list[str]]
    """Texts that meant a missing value."""


class Recommendation(TypedDict):
    """A recommendation."""

    type: str
    """What to do."""

    message: str
    """A sentence."""

    importance: str
    """`low`, `medium` or `high`."""


class RecordPreview(TypedDict):
    """Some records of a JSON file."""

    filename: str
    """Name of the file."""

    total_rows: int
    """Rows of the file."""

    returned_rows: int
    """Rows of this answer."""

    data: list[dict[str, Any]]
    """The rows."""


class RestoreItem(TypedDict):
    """How to restore an item."""

    model_name: NotRequired[str | None]
    """Another name for a model whose own is taken; not for uploads."""


class ResumableFile(TypedDict):
    """A file, with a fresh address where it has not arrived."""

    filename: str
    """Name of the file."""

    size_bytes: int | None
    """The real size once it is confirmed, the declared one before."""

    rows: int | None
    """Rows."""

    columns: int | None
    """The columns."""

    content_type: str
    """MIME type as it was declared."""

    created_at: str
    """When it was made."""

    preview_url: str | None
    """Null until the file is processed."""

    object_key: str
    """Key of the stored object."""

    error: FileBroken | None
    """Why it failed, and what to do; null where it did not."""

    notices: list[str]
    """What was guessed, repaired or left out, such as a total at the foot."""

    options: dict[str, Any] | None
    """The options that were given for reading it; null where all was guessed."""

    read_as: ReadAs | None
    """How it was read; null until it is processed, and where nothing is guessed."""

    presigned_url: str | None
    """Signed address that takes the file by PUT."""


class ResumableUpload(TypedDict):
    """An upload that can be resumed."""

    upload_id: str
    """Id of an upload."""

    name: str
    """Name for people."""

    description: str | None
    """What it is for, in words."""

    status: Literal["pending", "processing", "complete", "failed"]
    """Status."""

    created_at: str
    """When it was made."""

    created_by: str
    """Id of the account that made it."""

    completed_at: str | None
    """When it ended; null while it has not."""

    expires_at: str
    """When it stops working; null where it does not."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    dataset_version: str | None
    """Which version of its dataset it is; null until it is complete."""

    files: list[ResumableFile]
    """The files."""


class RetrainStarted(TypedDict):
    """A retraining that waits to start."""

    job_id: str
    """Id of a job."""

    status: NotRequired[Literal["PENDING"]]
    """Status."""

    model_name: str
    """Name of the model, as in its address."""

    new_version: str
    """Label of the version being built."""

    created_at: str
    """When it was made."""


class RotateKey(TypedDict):
    """Asks for a new secret of a key."""

    overlap_hours: NotRequired[int | None]
    """How long the present secret works beside the new one; 0 ends it at once."""


Scope: TypeAlias = Literal["models", "predictions", "datasets"]


class ScoreUpload(TypedDict):
    """Asks for predictions of every row of an upload."""

    upload_id: str
    """Id of an upload."""

    format: NotRequired[Literal["csv", "json", "parquet"] | None]
    """What the files are written as."""

    include: NotRequired[list[Literal["probabilities", "interval", "explanation"]] | None]
    """What to add beside the prediction, in columns of their own."""


class ScoringStarted(TypedDict):
    """The job that scores, and the export that its files will be in."""

    job_id: str
    """Id of a job."""

    export_id: str
    """`GET /data/export/{export_id}` gives the files' addresses once it is completed."""

    status: str
    """`processing`."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    upload_id: str
    """Id of an upload."""

    format: str | None
    """What the files are written as."""

    created_at: str
    """When it was made."""

    estimated_completion: str
    """When it will probably be done."""


class SecondFactor(TypedDict):
    """The state of the account's second factor."""

    user_id: str
    """Id of the account."""

    is_on: bool
    """Whether signing in to the console needs a code."""

    confirmed_at: str | None
    """When it was turned on."""

    recovery_codes_left: int
    """Recovery codes that were not used yet."""


class SecondFactorBegun(TypedDict):
    """The secret for an authenticator app, which is shown only now."""

    user_id: str
    """Id of the account."""

    secret: str
    """To be typed in where nothing can be scanned."""

    uri: str
    """To be shown as a QR code, `otpauth://…`."""


class SecondFactorCode(TypedDict):
    """Gives a code of the second factor."""

    code: str
    """A code of the second factor, or a recovery code."""


class SecondFactorConfirmed(TypedDict):
    """The second factor is on."""

    user_id: str
    """Id of the account."""

    recovery_codes: list[str]
    """Each signs in once if the device is lost; they are shown only now."""


class SessionDataset(TypedDict):
    """A version of a dataset that a session holds."""

    dataset_name: str
    """Name of a dataset."""

    version: str
    """Number or label of the version."""

    upload_id: str
    """Id of an upload."""

    newest_version: str
    """Label of the newest version."""

    newest_upload_id: str
    """Upload of the newest version."""

    is_stale: bool
    """Whether there is a newer version than the one that the session holds."""


class SessionEnded(TypedDict):
    """A session that has ended."""

    session_id: str
    """Id of a data session."""

    status: str
    """Status."""

    ended_at: str
    """When it ended."""


class SessionTable(TypedDict):
    """A file and the table it is in SQL."""

    file: str
    """Name of the file."""

    table: str
    """Name of the table in SQL."""

    columns: list[str]
    """The columns."""

    upload_id: str
    """Id of an upload."""

    dataset_name: str
    """Name of a dataset."""


class SignedOut(TypedDict):
    """The session is over."""

    signed_out: NotRequired[bool]
    """Always true."""


class SigningKey(TypedDict):
    """A public key that verifies what this server signed."""

    fingerprint: str
    """Beginning of the public key's SHA-256."""

    algorithm: NotRequired[Literal["ed25519"]]
    """How it signs."""

    public_key: str
    """32 bytes in base64."""

    created_at: str
    """When it was first used."""

    is_current: bool
    """Whether what is built now is signed with it."""


class SigningKeyList(TypedDict):
    """The public keys of this server, the present one first."""

    keys: list[SigningKey]
    """Keys."""


class Split(TypedDict):
    """How rows are held out to judge the model by."""

    by: Literal["random", "time", "group", "column"]
    """At random, the latest rows, whole groups, or the rows that a column marks."""

    column: NotRequired[str | None]
    """The column of times, of groups, or that says `test` of the rows to hold out."""


class Summary(TypedDict):
    """Exact statistics of a number column; null where there is nothing to count.

    Where decimals have more digits than a double holds, their digits are a string.
    """

    min: int | float | str | None
    """Smallest value."""

    max: int | float | str | None
    """Largest value."""

    mean: float | str | None
    """Mean."""

    median: float | str | None
    """Median."""

    std: float | None
    """Standard deviation."""

    skewness: float | None
    """Skewness."""

    quantiles: dict[str, float | str | None]
    """By share: `0.01` to `0.99`."""


class TableList(TypedDict):
    """A page of a database's tables, by name."""

    tables: list[DatabaseTable]
    """Tables."""

    pagination: Pagination
    """Position of the page in the whole list."""


RowNoun: TypeAlias = str


class TablePatch(TypedDict):
    """Corrections of a table; null takes one back, an empty text says that there is none."""

    row_nouns: NotRequired[list[RowNoun] | None]
    """What its rows are called, in the plural."""

    key: NotRequired[str | None]
    """The column whose values name the rows."""

    default_date: NotRequired[str | None]
    """The column that a period means where a question names none."""

    default_filter: NotRequired[str | None]
    """SQL that rows must meet unless a question speaks of its columns."""

    columns: NotRequired[dict[str, ColumnPatch | None] | None]
    """The columns."""


class TablePreview(TypedDict):
    """Some rows of a CSV, TSV, Parquet or Excel file."""

    filename: str
    """Name of the file."""

    total_rows: int
    """Rows of the file."""

    returned_rows: int
    """Rows of this answer."""

    columns: list[str]
    """The columns."""

    data: list[list[str]]
    """Rows of cells as strings; a missing value is empty."""


class TellTruth(TypedDict):
    """The actual outcome of a prediction."""

    request_id: str
    """The id from the prediction's answer; each row of a batch has its own."""

    actual: bool | int | float | str
    """A value of the type that `output_schema` names."""


class TrainingInfo(TypedDict):
    """How a version was trained; null until it is READY."""

    dataset_size: NotRequired[int | None]
    """Rows of the training dataset."""

    training_time_minutes: NotRequired[float | None]
    """How long that took, in minutes."""

    algorithm: NotRequired[str | None]
    """Algorithm of the version."""

    feature_importance: NotRequired[dict[str, float]]
    """Share of each feature in the importance of all, from 0 to 1."""


class TrashEmptied(TypedDict):
    """How many items were removed for good."""

    status: NotRequired[Literal["purged"]]
    """Status."""

    items_purged: int
    """How many models and uploads were removed for good."""


class TrashItem(TypedDict):
    """A deleted model or upload that can still be restored."""

    item_id: str
    """The model's or the upload's id."""

    kind: Literal["model", "upload"]
    """Whether it is a model or an upload."""

    name: str
    """The model's `model_name`, or the upload's name."""

    deleted_at: str
    """When it was deleted."""

    purge_at: str
    """When it is removed for good."""

    size_bytes: int | None
    """Bytes of an upload's files, which count as stored until it is purged; null for a model."""


class TrashList(TypedDict):
    """A page of the trash."""

    items: list[TrashItem]
    """Deleted models and uploads."""

    pagination: Pagination
    """Position of the page in the whole list."""


class Undeployed(TypedDict):
    """A deployment that is being taken down; requests in flight are answered."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    deployment_id: str
    """Id of a deployment."""

    status: NotRequired[Literal["UNDEPLOYING"]]
    """Status."""

    undeployed_at: str
    """When it was asked to stop."""


class Unverified(TypedDict):
    """A question that is no longer verified."""

    query_id: str
    """Id of a query."""

    verified: NotRequired[bool]
    """Whether a verified question answered it."""


class UploadCreated(TypedDict):
    """A new upload and where to PUT its files."""

    upload_id: str
    """Id of an upload."""

    name: str
    """Name for people."""

    description: str | None
    """What it is for, in words."""

    status: Literal["pending", "processing", "complete", "failed"]
    """Status."""

    created_at: str
    """When it was made."""

    files: list[PlacedFile]
    """The files."""

    expires_at: str
    """When the addresses run out; `GET /data/upload` makes new ones."""


class UploadDeleted(TypedDict):
    """A deleted upload."""

    upload_id: str
    """Id of an upload."""

    status: NotRequired[Literal["deleted"]]
    """Status."""

    deleted_at: str
    """When it was deleted."""


class UploadFile(TypedDict):
    """A file of an upload."""

    filename: str
    """Name of the file."""

    size_bytes: int | None
    """The real size once it is confirmed, the declared one before."""

    rows: int | None
    """Rows."""

    columns: int | None
    """The columns."""

    content_type: str
    """MIME type as it was declared."""

    created_at: str
    """When it was made."""

    preview_url: str | None
    """Null until the file is processed."""

    object_key: str
    """Key of the stored object."""

    error: FileBroken | None
    """Why it failed, and what to do; null where it did not."""

    notices: list[str]
    """What was guessed, repaired or left out, such as a total at the foot."""

    options: dict[str, Any] | None
    """The options that were given for reading it; null where all was guessed."""

    read_as: ReadAs | None
    """How it was read; null until it is processed, and where nothing is guessed."""


class UploadStanding(TypedDict):
    """The state of an upload after its confirmation."""

    upload_id: str
    """Id of an upload."""

    status: Literal["pending", "processing", "complete", "failed"]
    """Status."""

    message: str
    """A sentence."""

    estimated_completion: str | None
    """Null where it will not be completed."""


class UsageEntry(TypedDict):
    """Consumption of one day, kind and key."""

    day: str
    """A day, UTC."""

    kind: str
    """What was used."""

    key_id: str | None
    """Id of a key."""

    quantity: float
    """Amount."""


class UsageReport(TypedDict):
    """An account's usage over some days, oldest first."""

    start: str
    """First day, UTC."""

    end: str
    """Last day, UTC."""

    consumption: int
    """Units consumed since the account was made."""

    entries: list[UsageEntry]
    """The entries."""


class UsageStats(TypedDict):
    """Requests made with a key."""

    requests_last_24h: int
    """Requests in the last 24 hours."""

    requests_last_7d: int
    """Requests in the last 7 days."""

    requests_last_30d: int
    """Requests in the last 30 days."""


class UseUpload(TypedDict):
    """Chooses the session that queries without a `session_id` go to."""

    upload_id: str
    """Id of an upload."""

    session_id: NotRequired[str | None]
    """A session on this upload; by default an open one, else a new one."""


class User(TypedDict):
    """The calling account."""

    user_id: str
    """Id of the account."""

    email: str
    """E-mail of the account."""

    name: str
    """Name of the person."""

    user_name: str
    """Short name."""

    credits: int
    """Units the operator granted."""

    consumption: int
    """Units used so far."""

    is_active: bool
    """Whether the account is active."""

    has_api_key: bool
    """Whether a key exists that works now."""

    permission_level: Literal["read_only", "read_write", "admin"]
    """What the caller's key, or session of the console, may do."""


class VerifiedQuery(TypedDict):
    """A question that is answered by verified SQL."""

    query_id: str
    """Id of a query."""

    query: str
    """The question, or the SQL."""

    generated_sql: str
    """The SQL that ran."""

    interpretation: str | None
    """What was understood, in a sentence."""

    verified: bool
    """Whether a verified question answered it."""

    verified_at: str
    """When it was verified."""


class Verify(TypedDict):
    """The right SQL for a question; without a member it is the SQL that answered."""

    sql: NotRequired[str | None]
    """The SQL that is right."""

    choice_id: NotRequired[str | None]
    """The choice that is right, of those that the query offered."""


class VersionDescription(TypedDict):
    """The description of a version: schemas, metrics, and how it was trained."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    description: str
    """What it is for, in words."""

    input_schema: dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    """Columns to learn from, with their types."""

    output_schema: dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    """The column to predict, with its type."""

    performance_metrics: dict[str, Any]
    """Metrics on held-out rows."""

    training_info: TrainingInfo
    """How it was trained."""

    plan: dict[str, Any] | None
    """What the build decided and why; null until it is READY."""

    warnings: list[str]
    """Warnings about the metrics, in sentences."""

    inputs: dict[str, InputDomain]
    """What training had of each input; empty for versions that were built before it was kept."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""


class VersionStarted(TypedDict):
    """The build of a new version that waits to start."""

    job_id: str
    """Id of a job."""

    status: NotRequired[Literal["PENDING"]]
    """Status."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    created_at: str
    """When it was made."""

    version_id: str
    """Id of a version."""

    version: int
    """Number or label of the version."""


class Visualization(TypedDict):
    """A chart of one file: a Vega-Lite document and a picture of it."""

    type: str
    """What kind it is."""

    title: str
    """Title of the chart."""

    data_url: str
    """Address of the Vega-Lite document."""

    thumbnail_url: str
    """Address of the chart as PNG."""


class VisualizationEntry(TypedDict):
    """A chart in the list of all."""

    type: str
    """What kind it is."""

    title: str
    """Title of the chart."""

    data_url: str
    """Address of the Vega-Lite document."""

    thumbnail_url: str
    """Address of the chart as PNG."""

    visualization_id: str
    """Id of a chart."""

    job_id: str
    """Id of a job."""

    upload_id: str
    """Id of an upload."""

    filename: str
    """The file it is about."""

    created_at: str
    """When it was made."""


class VisualizationList(TypedDict):
    """Charts, newest first."""

    visualizations: list[VisualizationEntry]
    """Charts."""

    pagination: Pagination
    """Position of the page in the whole list."""


class Ways(TypedDict):
    """The ways to sign in to the console, besides a password."""

    single_sign_on: str | None
    """Name of the provider behind `GET /console/oidc`; null where there is none."""


AnalysisStatus: TypeAlias = Literal["pending", "completed", "failed"]


KeysStatus: TypeAlias = Literal["active", "revoked"]


class DatasetsVersionList(TypedDict):
    """A page of a dataset's versions, newest first."""

    dataset_name: str
    """Name of a dataset."""

    versions: list[DatasetVersion]
    """Versions."""

    pagination: Pagination
    """Position of the page in the whole list."""


DeploymentsStatus: TypeAlias = Literal["DEPLOYING", "ACTIVE", "UNDEPLOYING", "FAILED"]


JobsStatus: TypeAlias = Literal["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"]


ModelsStatus: TypeAlias = Literal["DRAFT", "BUILDING", "READY", "ERROR"]


UploadsStatus: TypeAlias = Literal["pending", "processing", "complete", "failed"]


class ErrorDetail(TypedDict):
    """A field and why it was refused; of the field `choice`, what a question may mean."""

    field: str
    """Path of the field that is wrong."""

    message: str
    """A sentence."""

    choice_id: NotRequired[str]
    """Of a reading that may be meant."""

    generated_sql: NotRequired[str]
    """The SQL of that reading."""

    columns: NotRequired[list[str]]
    """The names of the columns that it gives."""

    rows: NotRequired[list[list[Any]]]
    """The first rows that it gives."""

    confidence: NotRequired[float | None]
    """How likely that reading is right, 0 to 1."""


class PredictionInterval(TypedDict):
    """Holds the actual value in `level` of all cases; null for a class."""

    low: float
    """Lower end."""

    high: float
    """Upper end."""

    level: float
    """Level."""


class FieldMessage(TypedDict):
    """A message about one field of a row."""

    field: str
    """Path of the field that is wrong."""

    message: str
    """A sentence."""


class Explanation(TypedDict):
    """What each field adds to `base`, on the scale that `link` names."""

    link: str
    """Scale of the contributions."""

    of: Any
    """The class that is explained; null for a regression."""

    base: float
    """Prediction without knowing any field, on the scale of the contributions."""

    contributions: dict[str, float]
    """Contribution of each field to the prediction."""

    sum: float
    """The base and all contributions."""


class RowRefusal(TypedDict):
    """With `errors=rows`: why this row has no prediction."""

    code: str
    """Error code, in the spelling of this part of the API."""

    message: str
    """A sentence."""

    details: list[FieldMessage]
    """What is wrong, field by field."""


class Prediction(TypedDict):
    """The answer for one row."""

    request_id: str
    """Id of the request, as in the log."""

    result: dict[str, Any]
    """Matches the version's `output_schema` exactly."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    created_at: str
    """When it was made."""

    probabilities: NotRequired[dict[str, Any] | None]
    """The probability of each class; null for a regression."""

    interval: NotRequired[PredictionInterval | None]
    """Prediction interval."""

    warnings: NotRequired[list[FieldMessage]]
    """Values that training never saw, or had in another range."""

    explanation: NotRequired[Explanation]
    """Contribution of each field to the prediction."""


class BatchItem(TypedDict):
    """The answer for one row of a batch; answers stand in the rows' order."""

    prediction: dict[str, Any] | None
    """Matches the version's `output_schema` exactly."""

    request_id: NotRequired[str]
    """Id of the request, as in the log."""

    error: NotRequired[RowRefusal]
    """Why it failed, and what to do; null where it did not."""

    probabilities: NotRequired[dict[str, Any] | None]
    """The probability of each class; null for a regression."""

    interval: NotRequired[PredictionInterval | None]
    """Prediction interval."""

    warnings: NotRequired[list[FieldMessage]]
    """Values that training never saw, or had in another range."""

    explanation: NotRequired[Explanation]
    """Contribution of each field to the prediction."""


class EndpointBatchItem(TypedDict):
    """The answer for one row of a batch, and the version that gave it."""

    prediction: dict[str, Any] | None
    """Matches the version's `output_schema` exactly."""

    request_id: NotRequired[str]
    """Id of the request, as in the log."""

    error: NotRequired[RowRefusal]
    """Why it failed, and what to do; null where it did not."""

    probabilities: NotRequired[dict[str, Any] | None]
    """The probability of each class; null for a regression."""

    interval: NotRequired[PredictionInterval | None]
    """Prediction interval."""

    warnings: NotRequired[list[FieldMessage]]
    """Values that training never saw, or had in another range."""

    explanation: NotRequired[Explanation]
    """Contribution of each field to the prediction."""

    model_version: str
    """Label of the version."""


class TableResult(TypedDict):
    """The answer to a query, as a table."""

    query_id: str
    """Id of a query."""

    session_id: str
    """Id of a query."""

    columns: list[str]
    """The columns."""

    rows: list[list[Any]]
    """Rows."""

    row_count: int
    """The rows of this answer."""

    truncated: bool
    """Whether there was more."""

    execution_time_ms: float
    """Duration in milliseconds."""

    generated_sql: str
    """The SQL that ran."""

    interpretation: NotRequired[str]
    """What was understood, in a sentence; only of questions in words."""

    verified: NotRequired[bool]
    """Whether verified SQL answered; only of questions in words."""

    question: NotRequired[str | None]
    """The whole question, where it went on from an earlier one."""

    confidence: NotRequired[float | None]
    """How likely the reading is right, 0 to 1; null where nobody guessed."""

    read_by: NotRequired[list[str]]
    """The readers that agree on this reading."""

    units: NotRequired[list[str] | None]
    """The unit of each column, empty where none is known; null without any."""

    warnings: list[str]
    """Warnings about the answer."""

    result_type: Literal["table"]
    """Kind of the result."""


class ChartSeries(TypedDict):
    """One series of a chart."""

    label: str
    """Id of a query."""

    data: list[float | None]
    """The rows."""


class AccountList(TypedDict):
    """A page of accounts, newest first."""

    users: list[Account]
    """The accounts."""

    pagination: Pagination
    """Position of the page in the whole list."""


class AnalysisCreated(TypedDict):
    """An analysis that waits to start."""

    job_id: str
    """Id of a job."""

    status: AnalysisStatus
    """Status."""

    estimated_completion: str
    """When it will probably be done."""


class AuditLog(TypedDict):
    """A page of the log, newest first."""

    entries: list[AuditEntry]
    """The entries."""

    pagination: Pagination
    """Position of the page in the whole list."""


class BuildLogs(TypedDict):
    """A page of log lines of builds, oldest first."""

    logs: list[BuildLogEntry]
    """Lines."""

    pagination: Pagination
    """Position of the page in the whole list."""


class CatalogColumnAnswer(TypedDict):
    """What a column means."""

    name: str
    """Name for people."""

    type: str
    """What kind it is."""

    label: CatalogItem
    """What people call it."""

    role: CatalogItem
    """`id`, `dimension`, `flag`, `date` or `measure`."""

    additivity: CatalogItem
    """Of measures: `sum`, `average` or `neither`."""

    unit: CatalogItem
    """What a measure is counted in."""

    format: CatalogItem
    """How its values are written."""

    private: CatalogItem
    """Whether none of its values may be shown to a language model."""

    synonyms: list[CatalogSynonym]
    """Also words for single values."""


class CatalogPatch(TypedDict):
    """Corrections of a dataset's catalog; null takes one back, what is not named stays."""

    tables: NotRequired[dict[str, TablePatch | None] | None]
    """By the tables' names in SQL."""

    metrics: NotRequired[dict[str, MetricPatch | Literal["none"] | None] | None]
    """By their names in questions; `none` rejects one that was inferred."""

    time_zone: NotRequired[str | None]
    """Time zone of days and months: `Europe/Berlin`."""

    first_day_of_week: NotRequired[int | None]
    """1 is Monday, 7 is Sunday."""

    first_month_of_fiscal_year: NotRequired[int | None]
    """1 to 12."""


class CatalogTableAnswer(TypedDict):
    """What a table's rows are."""

    name: str
    """Its name in SQL."""

    file: str
    """Name of the file."""

    rows: int
    """Rows."""

    row_nouns: CatalogItem
    """What its rows are called, in the plural."""

    key: CatalogItem
    """Column whose values name the rows."""

    default_date: CatalogItem
    """Column that a period means where a question names none."""

    default_filter: CatalogItem
    """SQL that rows must meet unless a question speaks of its columns."""

    columns: list[CatalogColumnAnswer]
    """The columns."""


class ConfirmUpload(TypedDict):
    """Confirms that all files are in place, or gives the upload up."""

    upload_id: str
    """Id of an upload."""

    status: Literal["complete", "failed"]
    """Status."""

    files: list[ListedFile]
    """With `complete`: exactly the declared files."""


class ConnectionList(TypedDict):
    """A page of connections, newest first."""

    connections: list[Connection]
    """Stored databases."""

    pagination: Pagination
    """Position of the page in the whole list."""


class ConsoleSessions(TypedDict):
    """Who is signed in to the account's console."""

    sessions: list[OpenConsoleSession]
    """Sessions."""


class CreateModel(TypedDict):
    """Makes a model and starts its first build."""

    target: NotRequired[str | None]
    """The column to predict."""

    task: NotRequired[Literal["binary", "multiclass", "regression"] | None]
    """Task of the model."""

    metric: NotRequired[
        Literal[
            "accuracy",
            "balanced_accuracy",
            "f1",
            "roc_auc",
            "log_loss",
            "precision",
            "recall",
            "rmse",
            "mae",
            "r2",
        ]
        | None
    ]
    """What is optimised."""

    max_iterations: NotRequired[int | None]
    """How many candidates are tried at most."""

    split: NotRequired[Split | None]
    """How rows are held out; when absent, by time where rows are in its order, else at random."""

    threshold: NotRequired[float | None]
    """The probability from which the positive class is predicted."""

    costs: NotRequired[Costs | None]
    """What wrong answers cost: leads to the threshold that is cheapest."""

    sample_weight: NotRequired[str | None]
    """The column with the weight of each row."""

    intent: str
    """What to predict, in words: `Predict whether a customer will churn`."""

    dataset_id: str
    """An upload's id, a dataset's name, or `name@v1.2`."""

    name: NotRequired[str | None]
    """Shown to people; made from the model's name when absent."""

    description: NotRequired[str | None]
    """What it is for, in words."""

    input_schema: NotRequired[
        dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    ]
    """The columns to learn from, with their types; all that serve when absent."""

    output_schema: NotRequired[
        dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    ]
    """The column to predict, with its type; found from the intent when absent."""

    tags: NotRequired[list[Tag] | None]
    """Tags."""

    plan_id: NotRequired[str | None]
    """The plan that was shown: the build is refused where it would follow another one."""


class CreateVersion(TypedDict):
    """Starts a new major version; what is absent is as in the version that the model shows."""

    target: NotRequired[str | None]
    """The column to predict."""

    task: NotRequired[Literal["binary", "multiclass", "regression"] | None]
    """Task of the model."""

    metric: NotRequired[
        Literal[
            "accuracy",
            "balanced_accuracy",
            "f1",
            "roc_auc",
            "log_loss",
            "precision",
            "recall",
            "rmse",
            "mae",
            "r2",
        ]
        | None
    ]
    """What is optimised."""

    max_iterations: NotRequired[int | None]
    """How many candidates are tried at most."""

    split: NotRequired[Split | None]
    """How rows are held out; when absent, by time where rows are in its order, else at random."""

    threshold: NotRequired[float | None]
    """The probability from which the positive class is predicted."""

    costs: NotRequired[Costs | None]
    """What wrong answers cost: leads to the threshold that is cheapest."""

    sample_weight: NotRequired[str | None]
    """The column with the weight of each row."""

    dataset_id: str
    """An upload's id, a dataset's name, or `name@v1.2`."""

    intent: NotRequired[str | None]
    """What to predict, in words."""

    input_schema: NotRequired[
        dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    ]
    """Columns to learn from, with their types."""

    output_schema: NotRequired[
        dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    ]
    """The column to predict, with its type."""


class DeclareFile(TypedDict):
    """A file that will be sent."""

    filename: Filename
    """1 to 255 characters without / and \\, not starting with a dot, unique in the upload."""

    content_type: str
    """MIME type; only a hint, because the bytes decide what a file is."""

    size_bytes: NotRequired[int | None]
    """Size in bytes; the address then takes no more than that."""

    options: NotRequired[FileOptions | None]
    """How to read the file; what is left out is guessed."""


class DeploymentDetail(TypedDict):
    """A deployed version."""

    deployment_id: str
    """Id of a deployment."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    version_id: str
    """Id of a version."""

    version: int
    """Number or label of the version."""

    status: DeploymentsStatus
    """Status."""

    endpoint: str
    """Where it answers."""

    environment: Literal["production", "staging", "development"]
    """Environment of the deployment."""

    replicas: int
    """Number of replicas."""

    auto_scale: bool
    """Whether the number of replicas follows the load."""

    created_at: str
    """When it was made."""

    error: str | None
    """Why it is FAILED."""


class DeploymentList(TypedDict):
    """One page of a model's deployments, newest first."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    deployments: list[DeploymentDetail]
    """Deployments."""

    pagination: Pagination
    """Position of the page in the whole list."""


class EndpointHistory(TypedDict):
    """One page of what was in service when, newest first."""

    model_name: str
    """Name of the model, as in its address."""

    environment: Literal["production", "staging", "development"]
    """Environment of the deployment."""

    changes: list[EndpointChange]
    """Times that a version was in service."""

    pagination: Pagination
    """Position of the page in the whole list."""


class EndpointList(TypedDict):
    """One page of a model's endpoints, production first."""

    model_name: str
    """Name of the model, as in its address."""

    endpoints: list[EndpointDetail]
    """Endpoints."""

    pagination: Pagination
    """Position of the page in the whole list."""


class Export(TypedDict):
    """The state of an export."""

    export_id: str
    """Id of an export."""

    upload_id: str
    """Id of an upload."""

    job_id: str
    """Id of a job."""

    status: str
    """`processing`, `completed` or `failed`."""

    format: str | None
    """Null where the files are given as they were uploaded."""

    created_at: str
    """When it was made."""

    completed_at: str | None
    """When it ended; null while it has not."""

    estimated_completion: str
    """When it will probably be done."""

    files: list[ExportedFile]
    """Empty until it is completed."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""


class FileDetail(TypedDict):
    """A file with its columns."""

    filename: str
    """Name of the file."""

    size_bytes: int | None
    """The real size once it is confirmed, the declared one before."""

    rows: int | None
    """Rows."""

    columns: int | None
    """The columns."""

    content_type: str
    """MIME type as it was declared."""

    created_at: str
    """When it was made."""

    preview_url: str | None
    """Null until the file is processed."""

    object_key: str
    """Key of the stored object."""

    error: FileBroken | None
    """Why it failed, and what to do; null where it did not."""

    notices: list[str]
    """What was guessed, repaired or left out, such as a total at the foot."""

    options: dict[str, Any] | None
    """The options that were given for reading it; null where all was guessed."""

    read_as: ReadAs | None
    """How it was read; null until it is processed, and where nothing is guessed."""

    column_info: list[ColumnInfo] | None
    """Null until the file is processed."""


class Health(TypedDict):
    """The state of the service and its parts."""

    status: Literal["ok", "degraded"]
    """`degraded` when a part is down."""

    version: str
    """Version of the server."""

    checks: dict[str, Part]
    """Every part by its name."""


class History(TypedDict):
    """A page of a session's queries, newest first."""

    queries: list[QueryEntry]
    """Queries."""

    pagination: Pagination
    """Position of the page in the whole list."""


class IngestionList(TypedDict):
    """A page of ingestions, newest first."""

    ingestions: list[Ingestion]
    """Ingestions."""

    pagination: Pagination
    """Position of the page in the whole list."""


class JobDetail(TypedDict):
    """The state of a job; members such as `model_name` name what it works on."""

    job_id: str
    """Id of a job."""

    kind: str
    """processing, analysis, export, build, deployment, ingestion or scoring."""

    status: JobsStatus
    """Status."""

    progress: int
    """From 0 to 100; never falls."""

    stage: str
    """Current step."""

    cancel_requested: bool
    """Whether somebody asked for its cancellation."""

    created_at: str
    """When it was made."""

    started_at: str | None
    """When it started; null while it waits."""

    completed_at: str | None
    """When it ended; null while it has not."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    model_name: NotRequired[str]
    """Of the model that the job works on, where it does."""

    upload_id: NotRequired[str]
    """Of the upload that the job works on, where it does."""


class JobList(TypedDict):
    """Jobs, newest first."""

    jobs: list[JobDetail]
    """Jobs."""

    pagination: Pagination
    """Position of the page in the whole list."""


class JobLogs(TypedDict):
    """Log lines of a job, oldest first."""

    logs: list[JobLogEntry]
    """Lines."""

    pagination: Pagination
    """Position of the page in the whole list."""


class KeyDetail(TypedDict):
    """A key with its use."""

    key_id: str
    """Id of a key."""

    name: str
    """Name for people."""

    key_prefix: str
    """The key's first characters."""

    key_suffix: str
    """The key's last characters."""

    permission_level: Literal["read_only", "read_write", "admin"]
    """Permission level."""

    created_at: str
    """When it was made."""

    expires_at: str | None
    """When it stops working; null where it does not."""

    status: Literal["active", "revoked"]
    """Status."""

    created_by: str
    """E-mail of the account that made it."""

    scopes: list[Scope] | None
    """Parts of the account that it is for; null means all."""

    allowed_networks: list[str] | None
    """Where it may come from; null means anywhere."""

    former_until: str | None
    """Until when the secret before the last rotation works too."""

    last_used_at: str | None
    """When it was last used; null where it never was."""

    usage_stats: UsageStats
    """Number of requests."""


class KeyIssued(TypedDict):
    """A new key with its secret, which is shown only now."""

    key_id: str
    """Id of a key."""

    name: str
    """Name for people."""

    key_prefix: str
    """The key's first characters."""

    key_suffix: str
    """The key's last characters."""

    permission_level: Literal["read_only", "read_write", "admin"]
    """Permission level."""

    created_at: str
    """When it was made."""

    expires_at: str | None
    """When it stops working; null where it does not."""

    status: Literal["active", "revoked"]
    """Status."""

    created_by: str
    """E-mail of the account that made it."""

    scopes: list[Scope] | None
    """Parts of the account that it is for; null means all."""

    allowed_networks: list[str] | None
    """Where it may come from; null means anywhere."""

    former_until: str | None
    """Until when the secret before the last rotation works too."""

    key: NotRequired[str]
    """The key itself, this once; not in the answer to a repeated request."""


class KeySummary(TypedDict):
    """A key as it is listed."""

    key_id: str
    """Id of a key."""

    name: str
    """Name for people."""

    key_prefix: str
    """The key's first characters."""

    key_suffix: str
    """The key's last characters."""

    permission_level: Literal["read_only", "read_write", "admin"]
    """Permission level."""

    created_at: str
    """When it was made."""

    expires_at: str | None
    """When it stops working; null where it does not."""

    status: Literal["active", "revoked"]
    """Status."""

    created_by: str
    """E-mail of the account that made it."""

    scopes: list[Scope] | None
    """Parts of the account that it is for; null means all."""

    allowed_networks: list[str] | None
    """Where it may come from; null means anywhere."""

    former_until: str | None
    """Until when the secret before the last rotation works too."""

    last_used_at: str | None
    """When it was last used; null where it never was."""


class MachineDetail(TypedDict):
    """One machine that shares the database."""

    machine_id: str
    """Id of a machine."""

    name: str
    """Name for people."""

    address: str
    """Where other machines reach it; empty where they do not."""

    version: str
    """Version of the server that runs there."""

    room: int
    """How many replicas it may run."""

    is_draining: bool
    """Whether it begins nothing new."""

    seen_at: str
    """When it gave its last sign of life."""

    parts: list[MachinePart]
    """Parts that run there and give signs of life."""

    silent: list[MachinePart]
    """Parts that give no sign of life though nobody stopped them."""


class MachineList(TypedDict):
    """A page of the machines, by their names."""

    machines: list[MachineDetail]
    """The machines."""

    pagination: Pagination
    """Position of the page in the whole list."""


class ModelDetail(TypedDict):
    """A model, with the details of the version that it shows."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    name: str
    """Name for people."""

    intent: str
    """What to predict, in words."""

    status: ModelsStatus
    """Status."""

    deployment_status: DeploymentStatus | None
    """Status of its deployment; null where it was never deployed."""

    deployed_versions: list[str]
    """The versions that answer in a deployment, newest first."""

    created_at: str
    """When it was made."""

    updated_at: str
    """When it last changed."""

    description: str
    """What it is for, in words."""

    endpoint: str
    """Where this version answers."""

    metrics: dict[str, Any]
    """Measured on rows the version never saw; empty until it is READY."""

    dataset_id: str
    """The upload it was trained on."""

    input_schema: dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    """Columns to learn from, with their types."""

    output_schema: dict[str, Literal["string", "integer", "float", "boolean", "date"]] | None
    """The column to predict, with its type."""

    tags: list[str]
    """Tags."""

    created_by: str
    """Id of the account that made it."""

    error: str | None
    """Why the build failed and what to change."""


class ModelSummary(TypedDict):
    """A model as it is listed, by its newest READY version; before there is one, the newest."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    name: str
    """Name for people."""

    intent: str
    """What to predict, in words."""

    status: ModelsStatus
    """Status."""

    deployment_status: DeploymentStatus | None
    """Status of its deployment; null where it was never deployed."""

    deployed_versions: list[str]
    """The versions that answer in a deployment, newest first."""

    created_at: str
    """When it was made."""

    updated_at: str
    """When it last changed."""


class ResumableList(TypedDict):
    """A page of uploads that can be resumed."""

    uploads: list[ResumableUpload]
    """Uploads."""

    pagination: Pagination
    """Position of the page in the whole list."""


class Retrain(TypedDict):
    """Starts a new minor version; what is absent is as in the version that the model shows."""

    target: NotRequired[str | None]
    """The column to predict."""

    task: NotRequired[Literal["binary", "multiclass", "regression"] | None]
    """Task of the model."""

    metric: NotRequired[
        Literal[
            "accuracy",
            "balanced_accuracy",
            "f1",
            "roc_auc",
            "log_loss",
            "precision",
            "recall",
            "rmse",
            "mae",
            "r2",
        ]
        | None
    ]
    """What is optimised."""

    max_iterations: NotRequired[int | None]
    """How many candidates are tried at most."""

    split: NotRequired[Split | None]
    """How rows are held out; when absent, by time where rows are in its order, else at random."""

    threshold: NotRequired[float | None]
    """The probability from which the positive class is predicted."""

    costs: NotRequired[Costs | None]
    """What wrong answers cost: leads to the threshold that is cheapest."""

    sample_weight: NotRequired[str | None]
    """The column with the weight of each row."""

    upload_id: NotRequired[str | None]
    """What to train on; the newest version of the training dataset when absent."""

    goal: NotRequired[str | None]
    """Replaces the intent."""


class SessionAnswer(TypedDict):
    """A data session."""

    session_id: str
    """Id of a data session."""

    name: str
    """Name for people."""

    upload_id: str
    """Id of an upload."""

    status: str
    """`ready` or `ended`."""

    is_default: bool
    """Whether queries without a `session_id` go to it."""

    created_at: str
    """When it was made."""

    expires_at: str
    """When it stops working; null where it does not."""

    ended_at: str | None
    """When it ended."""

    files: list[str]
    """The files."""

    tables: list[SessionTable]
    """Tables."""

    datasets: list[SessionDataset]
    """The versions that it holds; empty once it has ended."""

    warnings: list[str]
    """That a version is not the newest any more, and what to do."""

    notices: list[str]
    """Tables that have another name here, because two uploads have tables of one name."""


class SessionList(TypedDict):
    """A page of sessions."""

    sessions: list[SessionAnswer]
    """Sessions."""

    pagination: Pagination
    """Position of the page in the whole list."""


class Stats(TypedDict):
    """Exact counts of one file."""

    rows: int
    """Rows."""

    columns: int
    """The columns."""

    missing_values: dict[str, int]
    """Number of missing values of each column."""

    column_types: dict[str, str]
    """Type of each column."""

    distinct_values: dict[str, int]
    """Number of distinct values of each column."""

    summary: dict[str, Summary]
    """Number columns."""

    date_ranges: dict[str, dict[str, str | None]]
    """Date columns: `min` and `max`."""

    categorical_counts: dict[str, dict[str, int]]
    """Text and truth columns: the most frequent values, most frequent first."""


class Upload(TypedDict):
    """An upload."""

    upload_id: str
    """Id of an upload."""

    name: str
    """Name for people."""

    description: str | None
    """What it is for, in words."""

    status: Literal["pending", "processing", "complete", "failed"]
    """Status."""

    created_at: str
    """When it was made."""

    created_by: str
    """Id of the account that made it."""

    completed_at: str | None
    """When it ended; null while it has not."""

    expires_at: str
    """When it stops working; null where it does not."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    dataset_version: str | None
    """Which version of its dataset it is; null until it is complete."""

    files: list[UploadFile]
    """The files."""


class UploadDetail(TypedDict):
    """An upload with its columns and the models made from it."""

    upload_id: str
    """Id of an upload."""

    name: str
    """Name for people."""

    description: str | None
    """What it is for, in words."""

    status: Literal["pending", "processing", "complete", "failed"]
    """Status."""

    created_at: str
    """When it was made."""

    created_by: str
    """Id of the account that made it."""

    completed_at: str | None
    """When it ended; null while it has not."""

    expires_at: str
    """When it stops working; null where it does not."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    dataset_version: str | None
    """Which version of its dataset it is; null until it is complete."""

    files: list[FileDetail]
    """The files."""

    models_using_this: list[ModelUsing]
    """Versions that were built from it."""


class UploadList(TypedDict):
    """A page of uploads."""

    uploads: list[Upload]
    """Uploads."""

    pagination: Pagination
    """Position of the page in the whole list."""


class VerifiedList(TypedDict):
    """A page of verified questions, newest first."""

    verified_queries: list[VerifiedQuery]
    """Verified questions."""

    pagination: Pagination
    """Position of the page in the whole list."""


class VersionItem(TypedDict):
    """A version as it is listed."""

    version_id: str
    """Id of a version."""

    version: int
    """Number or label of the version."""

    model_version: str
    """Label of the version."""

    status: ModelsStatus
    """Status."""

    deployment_status: DeploymentStatus | None
    """Status of its deployment; null where it was never deployed."""

    metrics: dict[str, Any]
    """Metrics by name."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    created_at: str
    """When it was made."""


class VersionState(TypedDict):
    """The state of a version."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    status: ModelsStatus
    """Status."""

    deployment_status: DeploymentStatus | None
    """Status of its deployment; null where it was never deployed."""

    last_updated: str
    """When it last changed."""

    build_progress: int
    """Percent; never falls, 100 when READY."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""


class ModelsVersionList(TypedDict):
    """One page of a model's versions, newest first."""

    model_name: str
    """Name of the model, as in its address."""

    model_version: str
    """Label of the version."""

    versions: list[VersionItem]
    """Versions."""

    pagination: Pagination
    """Position of the page in the whole list."""


class Refusal(TypedDict):
    """What is wrong, and what to do."""

    code: str
    """Error code, in the spelling of this part of the API."""

    message: str
    """What is wrong and what to do."""

    status: int
    """The status before the gateway."""

    request_id: NotRequired[str]
    """Id of the request, as in the log."""

    details: NotRequired[list[ErrorDetail]]
    """What is wrong, field by field."""


class ChartData(TypedDict):
    """Labels, and a number for each of them in every series."""

    labels: list[Any]
    """Labels of the axis."""

    datasets: list[ChartSeries]
    """Series of numbers under the labels."""


class CatalogAnswer(TypedDict):
    """What a dataset's tables and columns mean, why, and what was corrected."""

    dataset_name: str
    """Name of a dataset."""

    version: str
    """Number or label of the version."""

    upload_id: str
    """Id of an upload."""

    updated_at: str | None
    """When somebody corrected it last."""

    tables: list[CatalogTableAnswer]
    """Tables."""

    relationships: list[CatalogRelationship]
    """Keys that join tables, many to one."""

    metrics: list[CatalogMetric]
    """Metrics by name."""

    rejected_relationships: NotRequired[list[CatalogRelationship]]
    """Inferred keys that somebody rejected."""

    rejected_metrics: NotRequired[list[CatalogMetric]]
    """Inferred metrics that somebody rejected."""

    time_zone: CatalogItem
    """Time zone of days and months."""

    first_day_of_week: CatalogItem
    """1 is Monday, 7 is Sunday."""

    first_month_of_fiscal_year: CatalogItem
    """1 to 12."""

    not_in_use: list[CatalogUnused]
    """Corrections of what this version lacks; they are kept."""


class CreateUpload(TypedDict):
    """Declares the files of a new upload."""

    name: NotRequired[Name | None]
    """Name of the dataset this is a version of; without one the first file's name is shown."""

    description: NotRequired[str | None]
    """What it is for, in words."""

    files: list[DeclareFile]
    """1 to 50 files, 5 GB each and 20 GB together at the most."""


class FileAnalysis(TypedDict):
    """The analysis of one file."""

    filename: str
    """Name of the file."""

    stats: Stats
    """Exact counts."""

    correlations: list[Correlation]
    """Correlated columns."""

    insights: list[Insight]
    """Insights."""

    visualizations: list[Visualization]
    """Charts."""


class KeyList(TypedDict):
    """A page of keys."""

    keys: list[KeySummary]
    """Keys."""

    pagination: Pagination
    """Position of the page in the whole list."""


class ModelList(TypedDict):
    """One page of models."""

    models: list[ModelSummary]
    """Models."""

    pagination: Pagination
    """Position of the page in the whole list."""


class Error(TypedDict):
    """A refusal; the same everywhere."""

    error: Refusal
    """Why it failed, and what to do; null where it did not."""


class ChartResult(TypedDict):
    """The answer to a query, as a chart."""

    query_id: str
    """Id of a query."""

    session_id: str
    """Id of a query."""

    columns: list[str]
    """The columns."""

    rows: list[list[Any]]
    """Rows."""

    row_count: int
    """The rows of this answer."""

    truncated: bool
    """Whether there was more."""

    execution_time_ms: float
    """Duration in milliseconds."""

    generated_sql: str
    """The SQL that ran."""

    interpretation: NotRequired[str]
    """What was understood, in a sentence; only of questions in words."""

    verified: NotRequired[bool]
    """Whether verified SQL answered; only of questions in words."""

    question: NotRequired[str | None]
    """The whole question, where it went on from an earlier one."""

    confidence: NotRequired[float | None]
    """How likely the reading is right, 0 to 1; null where nobody guessed."""

    read_by: NotRequired[list[str]]
    """The readers that agree on this reading."""

    units: NotRequired[list[str] | None]
    """The unit of each column, empty where none is known; null without any."""

    warnings: list[str]
    """Warnings about the answer."""

    result_type: Literal["visualization"]
    """Kind of the result."""

    visualization_type: Literal["bar_chart", "line_chart", "pie_chart", "scatter_plot", "histogram"]
    """Type of the chart."""

    title: str
    """Id of a query."""

    data: ChartData
    """The rows."""


class AnalysisAnswer(TypedDict):
    """An analysis; `files` is empty until it is completed."""

    job_id: str
    """Id of a job."""

    upload_id: str
    """Id of an upload."""

    status: AnalysisStatus
    """Status."""

    analysis_type: AnalysisType
    """How thorough the analysis is."""

    created_at: str
    """When it was made."""

    estimated_completion: str
    """When it will probably be done."""

    completed_at: str | None
    """When it ended; null while it has not."""

    error: str | None
    """Why it failed, and what to do; null where it did not."""

    files: list[FileAnalysis]
    """The files."""

    recommendations: list[Recommendation]
    """Recommendations."""
