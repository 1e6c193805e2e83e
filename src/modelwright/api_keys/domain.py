"""What a key looks like, and when one may be used.

The checksum tells a mistyped key without the database, so that guesses cost nothing; it is part of
every key ever issued and can never change.
"""

import hashlib
import secrets
import string
import zlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from modelwright.core.http.context import Level, Scope

KEY_PREFIX = "mw_"
ALPHABET = string.digits + string.ascii_letters
SECRET_LENGTH = 43
"""Characters that are drawn at random: 62 of them give 256 bits."""
CHECKSUM_LENGTH = 6
"""Characters of a CRC-32 in base 62, so that a mistyped key is told from a wrong one."""
PREFIX_SHOWN_CHARACTERS = 10
"""Characters that lists show of the beginning of a key."""
SUFFIX_SHOWN_CHARACTERS = 4
"""Characters that lists show of the end of a key."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """What a key is to be; its level, scopes and networks are fixed for good."""

    name: str
    level: Level
    days: int | None = None
    """None means without an end."""
    scopes: tuple[Scope, ...] | None = None
    """None means all."""
    allowed_networks: tuple[str, ...] | None = None
    """None means anywhere."""


class Status(StrEnum):
    """The contract's words; an expired key stays `active`."""

    ACTIVE = "active"
    REVOKED = "revoked"


def make_secret() -> str:
    """Makes a new key: prefix, 43 random base62 characters (256 bits), checksum."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH))
    return KEY_PREFIX + body + checksum(body)


def checksum(body: str) -> str:
    """Returns the six base62 characters of a body's CRC-32."""
    number = zlib.crc32(body.encode())
    digits = []
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def is_well_formed(secret: str) -> bool:
    """Returns whether a key could be ours, without asking the database."""
    body, check = secret[len(KEY_PREFIX) : -CHECKSUM_LENGTH], secret[-CHECKSUM_LENGTH:]
    return (
        len(secret) == len(KEY_PREFIX) + SECRET_LENGTH + CHECKSUM_LENGTH
        and secret.startswith(KEY_PREFIX)
        and secret.isascii()
        and check == checksum(body)
    )


def hash_of(secret: str) -> str:
    """Hashes a key for storing; 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_expired(expires_at: datetime | None, now: datetime) -> bool:
    """Returns whether a key's time has run out."""
    return expires_at is not None and expires_at <= now
