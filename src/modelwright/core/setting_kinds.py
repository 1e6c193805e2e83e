"""What settings may be: kinds of values, each refused with what it must be instead."""

import re
from collections.abc import Callable
from functools import partial
from ipaddress import ip_network
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr

Seconds = Annotated[float, Field(gt=0, le=14 * 86_400)]
"""A time that every wait of the system can take."""
MiB = Annotated[int, Field(ge=256, le=2**24)]
"""An amount of memory or disk that every limit of the system can take."""
Days = Annotated[int, Field(ge=1, le=3650)]


def _web_address(url: str) -> str:
    parts = urlsplit(url)
    if url and (parts.scheme not in {"http", "https"} or not parts.hostname or parts.query):
        raise ValueError("must be an address such as https://server.example.org")
    return url.rstrip("/")


def _redis(url: SecretStr) -> SecretStr:
    given = url.get_secret_value()
    if given and not given.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must begin with redis://, rediss:// or unix://")
    return url


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


def _domain(one: str) -> None:
    if not re.fullmatch(r"@?[\w.-]+", one):
        raise ValueError(f"must be domains such as example.org; {one!r} is none")


WebAddress = Annotated[str, AfterValidator(_web_address)]
RedisAddress = Annotated[SecretStr, AfterValidator(_redis)]
Proxies = Annotated[str, AfterValidator(_proxies)]
Hosts = Annotated[str, AfterValidator(partial(_list, _host))]
Domains = Annotated[str, AfterValidator(partial(_list, _domain))]
