"""Makes what is outside from its settings: objects, Redis, sign-in, language models, mail."""

from typing import TYPE_CHECKING

from modelwright.core.clock import Clock, SystemClock
from modelwright.core.config.secret_files import KeyRing
from modelwright.core.config.settings import Settings
from modelwright.core.limits.store import FileRateLimitStore, RateLimitStore
from modelwright.core.mail import Mail, Security, SmtpMail
from modelwright.engines.language.readers import Reader
from modelwright.queries.endpoint_reader import EndpointReader
from modelwright.queries.llm_client import Endpoint
from modelwright.storage.disk import DiskObjects
from modelwright.storage.local_cache import Copies
from modelwright.storage.object_store import Objects
from modelwright.storage.s3_signing import Bucket
from modelwright.storage.url_signer import Signer

if TYPE_CHECKING:
    from modelwright.users.oidc_provider import Provider


def make_rate_limit_store(settings: Settings, clock: Clock | None) -> RateLimitStore:
    """Makes what counts rates: in Redis where that is set, else in the data folder."""
    alone = FileRateLimitStore(settings.data_dir / "counters.sqlite", clock or SystemClock())
    if not settings.redis_url.get_secret_value():
        return alone
    from modelwright.core.limits.redis_store import RedisRateLimitStore  # noqa: PLC0415 - slow to load

    return RedisRateLimitStore(settings.redis_url.get_secret_value(), alone, clock)


def make_object_store(settings: Settings, signer: Signer, clock: Clock) -> Objects:
    """Makes what holds objects: a bucket where one is set, else the data folder."""
    if not settings.s3_bucket:
        return DiskObjects(settings.objects_dir, signer)
    from modelwright.storage.s3 import S3Objects  # noqa: PLC0415 - slow to load

    bucket = Bucket(
        settings.s3_bucket,
        settings.bucket_url,
        settings.s3_region,
        settings.s3_access_key.get_secret_value(),
        settings.s3_secret_key.get_secret_value(),
    )
    return S3Objects(bucket, Copies(settings.copies_dir, settings.s3_cache_mb << 20), clock)


def key_ring(settings: Settings) -> KeyRing:
    """Finds the secrets that stored passwords are sealed with."""
    told = settings.secret_key, settings.secret_key_fallbacks
    return KeyRing(settings.data_dir / "secret.key", *(one.get_secret_value() for one in told))


def make_oidc_provider(settings: Settings, clock: Clock) -> "Provider | None":
    """Makes the identity provider of the console; None where none is set."""
    if not settings.oidc_issuer:
        return None
    from modelwright.users.oidc_provider import Provider  # noqa: PLC0415 - slow to load

    secret = settings.oidc_client_secret.get_secret_value()
    return Provider(settings.oidc_issuer, settings.oidc_client_id, secret, clock)


def language_models(settings: Settings) -> list[Reader]:
    """Makes the models that read questions; none where none is set."""
    if not settings.language_model_url:
        return []
    key = settings.language_model_key.get_secret_value()
    endpoint = Endpoint(settings.language_model_url, settings.language_model, key)
    seconds, sees_values = settings.language_model_seconds, settings.language_model_sees_values
    name = settings.language_model or "language model"
    return [EndpointReader(endpoint, seconds, sees_values, name)]


def make_mail(settings: Settings) -> Mail | None:
    """Makes what sends mail; None where no server is set."""
    if not settings.smtp_host:
        return None
    return SmtpMail(
        host=settings.smtp_host,
        port=settings.smtp_port,
        security=Security(settings.smtp_security),
        sender=settings.mail_from or settings.operator_email,
        user=settings.smtp_user,
        password=settings.smtp_password.get_secret_value(),
    )
