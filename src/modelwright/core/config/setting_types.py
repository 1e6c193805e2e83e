"""What settings may be: kinds of values, each refused with what it must be instead."""

import re
from collections.abc import Callable
from email.utils import parseaddr
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

Seconds = Annotated[float, Field(gt=0, le=14 * 86_400)]
"""A time that every wait of the system can take."""
MiB = Annotated[int, Field(ge=256, le=2**24)]
"""An amount of memory or disk that every limit of the system can take."""
Share = Annotated[float, Field(ge=0.5, lt=1)]
"""A share that is more likely than not, and never all."""


def _per_tier(text: str) -> str:
    parts = text.split(",")
    if len(parts) not in {1, len(TIERS)} or not all(one.strip().isdigit() for one in parts):
        raise ValueError(f"must be one whole number, or those of {','.join(TIERS)}, such as 2,4,8")
    if any(int(one) < 1 for one in parts):
        raise ValueError("must be 1 at least; nobody could do anything with less")
    return text


TIERS = ("basic", "pro", "enterprise")
PerTier = Annotated[str, BeforeValidator(str), AfterValidator(_per_tier)]
"""A cap for each account: one number for all tiers, or three."""
Days = Annotated[int, Field(ge=1, le=3650)]
AuditDays = Annotated[int, Field(ge=30, le=3650)]
"""More than the 28 days in which the database itself refuses to delete an entry."""
_EMAIL = re.compile(r"[^@\s\x00-\x1f]{1,128}@[^@\s\x00-\x1f]{1,125}")


def _web_address(url: str) -> str:
    is_one = urlsplit(url).scheme in {"http", "https"} and _leads_to_a_host(url)
    if url and (not is_one or set(url) & set("?#\\ \t")):
        raise ValueError("must be an address such as https://server.example.org")
    return url.rstrip("/")


def _leads_to_a_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # it has a port that is no number
        return False


def _folder(name: object) -> object:
    """Refuses what would quietly be another folder than the one that is meant, and a new one."""
    text = str(name)
    if not text or text != text.strip():
        raise ValueError(f"must be the name of a folder without blanks around it, not {text!r}")
    if not text.isprintable():
        raise ValueError(f"must hold no invisible characters: {text!r}")
    if text.startswith("~"):
        raise ValueError("must have the home folder written out in place of ~")
    return name


Folder = Annotated[Path, BeforeValidator(_folder)]
"""A folder that is made where it is missing."""


def _redis(url: SecretStr) -> SecretStr:
    given = url.get_secret_value()
    if given and not given.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must begin with redis://, rediss:// or unix://")
    if given and not (given.startswith("unix://") or _leads_to_a_host(given)):
        raise ValueError("must be an address such as redis://cache.example.org:6379")
    return url


def _email(text: str) -> str:
    if not _EMAIL.fullmatch(text):
        raise ValueError("must be an e-mail address such as operator@example.org")
    return text


def _sender(text: str) -> str:
    if text and not (text.isprintable() and _EMAIL.fullmatch(parseaddr(text)[1])):
        raise ValueError("must be a sender such as Modelwright <models@example.org>")
    return text


def _bucket(name: str) -> str:
    if name and not re.fullmatch(r"[A-Za-z0-9._-]{1,255}", name):
        raise ValueError("must be the name of a bucket: letters, digits, dots and hyphens")
    return name


def _peer_address(text: str) -> str:
    host, _, port = text.rpartition(":")
    is_whole = re.fullmatch(r"[\w.-]+|\[[0-9a-fA-F:.]+\]", host) and re.fullmatch(r"\d{1,5}", port)
    if text and not (is_whole and 0 < int(port) < 65536):  # noqa: PLR2004 - ports end there
        raise ValueError("must be an address such as 10.0.0.5:8700 or [fd00::5]:8700")
    return text


def _list(check: Callable[[str], object], text: str) -> str:
    for one in filter(None, map(str.strip, text.split(","))):
        check(one)
    return text


def _proxy(one: str) -> None:
    try:
        ip_network(one)
    except ValueError as wrong:
        raise ValueError(f"must be addresses or networks; {wrong}") from None


def _proxies(text: str) -> str:
    return text if text == "*" else _list(_proxy, text)


def _host(one: str) -> None:
    try:
        if not re.fullmatch(r"[\w.-]+", one):
            ip_network(one, strict=False)
    except ValueError as wrong:
        raise ValueError(f"must be names, addresses or networks; {wrong}") from None


def _host_name(one: str) -> None:
    if one != "*" and not re.fullmatch(r"[\w.-]+|\[?[0-9A-Fa-f:.]+\]?", one):
        raise ValueError(f"must be host names without a port, or *; {one!r} is none")


def _domain(one: str) -> None:
    if not re.fullmatch(r"@?[\w.-]+", one):
        raise ValueError(f"must be domains such as example.org; {one!r} is none")


Bucket = Annotated[str, AfterValidator(_bucket)]
Email = Annotated[str, AfterValidator(_email)]
Sender = Annotated[str, AfterValidator(_sender)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
WebAddresses = Annotated[str, AfterValidator(partial(_list, _web_address))]
RedisAddress = Annotated[SecretStr, AfterValidator(_redis)]
PeerAddress = Annotated[str, AfterValidator(_peer_address)]
Proxies = Annotated[str, AfterValidator(_proxies)]
Hosts = Annotated[str, AfterValidator(partial(_list, _host))]
HostNames = Annotated[str, AfterValidator(partial(_list, _host_name))]
Domains = Annotated[str, AfterValidator(partial(_list, _domain))]
