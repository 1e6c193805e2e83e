"""Makes what is outside from its settings: objects, Redis, sign-in, language models, mail."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from modelwright.core.channel.peers import Channel
from modelwright.core.clock import Clock, SystemClock
from modelwright.core.config.secret_files import KeyRing
from modelwright.core.config.settings import Settings, listed
from modelwright.core.limits.store import FileRateLimitStore, RateLimitStore
from modelwright.core.mail import Mail, Security, SmtpMail
from modelwright.language_models.domain import ModelFile, model_files, place_of
from modelwright.language_models.endpoint import Endpoint
from modelwright.language_models.local import LocalModel
from modelwright.language_models.service import LanguageModels, ProbedCompleter
from modelwright.machines.domain import MachineIdentity
from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.local_cache import LocalCache
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.s3_signing import Bucket
from modelwright.storage.url_signer import UrlSigner

if TYPE_CHECKING:
    from modelwright.users.oidc_provider import OidcProvider


def make_rate_limit_store(settings: Settings, clock: Clock | None) -> RateLimitStore:
    """Makes what counts rates: in Redis where that is set, else in the data folder."""
    alone = FileRateLimitStore(settings.data_dir / "counters.sqlite", clock or SystemClock())
    if not settings.redis_url.get_secret_value():
        return alone
    from modelwright.core.limits.redis_store import RedisRateLimitStore  # noqa: PLC0415 - slow to load

    return RedisRateLimitStore(settings.redis_url.get_secret_value(), alone, clock)


def make_channel(settings: Settings, here: MachineIdentity) -> Channel | None:
    """Makes what other machines are reached by; None where they are not."""
    if not settings.cluster_listen:
        return None
    return Channel(listed(settings.cluster_secret.get_secret_value()), here.machine_id)


def make_object_store(settings: Settings, signer: UrlSigner, clock: Clock) -> ObjectStore:
    """Makes what holds objects: a bucket where one is set, else the data folder."""
    if not settings.s3_bucket:
        return DiskObjectStore(settings.objects_dir, signer)
    from modelwright.storage.s3 import S3ObjectStore  # noqa: PLC0415 - slow to load

    bucket = Bucket(
        settings.s3_bucket,
        settings.bucket_url,
        settings.s3_region,
        settings.s3_access_key.get_secret_value(),
        settings.s3_secret_key.get_secret_value(),
    )
    return S3ObjectStore(bucket, LocalCache(settings.copies_dir, settings.s3_cache_mb << 20), clock)


def key_ring(settings: Settings) -> KeyRing:
    """Finds the secrets that stored passwords are sealed with."""
    secrets = settings.secret_key, settings.secret_key_fallbacks
    return KeyRing(settings.data_dir / "secret.key", *(one.get_secret_value() for one in secrets))


def make_oidc_provider(settings: Settings, clock: Clock) -> "OidcProvider | None":
    """Makes the identity provider of the console; None where none is set."""
    if not settings.oidc_issuer:
        return None
    from modelwright.users.oidc_provider import OidcProvider  # noqa: PLC0415 - slow to load

    secret = settings.oidc_client_secret.get_secret_value()
    return OidcProvider(settings.oidc_issuer, settings.oidc_client_id, secret, clock)


def make_language_models(settings: Settings, clock: Clock) -> LanguageModels:
    """Makes the models that read questions: files of this machine first, then endpoints."""
    completers: list[ProbedCompleter] = [
        LocalModel(model, place_of(settings.data_dir, model)) for model in local_models(settings)
    ]
    addresses = listed(settings.language_model_url)
    names = listed(settings.language_model) or [""] * len(addresses)
    keys = listed(settings.language_model_key.get_secret_value()) or [""]
    keys = keys * len(addresses) if len(keys) == 1 else keys
    completers += [
        Endpoint(address, name, key, sees_values=settings.language_model_sees_values)
        for address, name, key in zip(addresses, names, keys, strict=True)
    ]
    return LanguageModels(completers, clock, settings.language_model_seconds)


def local_models(settings: Settings) -> list[ModelFile]:
    """Lists the models of this machine; none where what runs them is not installed."""
    if find_spec("xllamacpp") is None:
        return []
    configured = map(Path, listed(settings.language_model_file))
    return model_files(settings.data_dir, configured)


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
