"""Secrets the server makes for itself at its first start, kept in files only their owner reads."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from modelwright.core.file_sync import sync

SECRET_BYTES = 32
"""The exact length of a key file."""
OTHERS_RIGHTS = stat.S_IRWXG | stat.S_IRWXO


class KeyFileError(Exception):
    """A key file is not as the server wrote it; the message says what to do."""


def read_or_make(path: Path) -> bytes:
    """Returns the secret kept in a file, made there first where there is none.

    Processes that start at the same moment agree on one secret.
    Refuses a file of another length, and one that others than its owner may read or write.
    """
    with suppress(FileNotFoundError):
        return read(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _publish(path, secrets.token_bytes(SECRET_BYTES))
    return read(path)


def read(path: Path) -> bytes:
    """Returns the secret kept in a file; refuses one that is not as the server wrote it."""
    with _opened(path) as file:
        rights = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        secret = file.read(SECRET_BYTES + 1)
    if rights & OTHERS_RIGHTS:
        message = (
            f"Others than its owner may use the key file {path.resolve()} (its rights are "
            f"{rights:03o}): run chmod 600 {path.resolve()}."
        )
        raise KeyFileError(message)
    if len(secret) != SECRET_BYTES:
        size = path.stat().st_size
        message = (
            f"The key file {path.resolve()} has {size} bytes in place of {SECRET_BYTES}: put it "
            "back from a backup, or move it away to have a new one made, which does not open "
            "what the old one closed."
        )
        raise KeyFileError(message)
    return secret


def _opened(path: Path) -> BinaryIO:
    """Opens a key file; refuses what is no file, which reading would fail or wait at."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        if not path.is_symlink():
            raise
        message = (
            f"The key file {path} is a link to {path.readlink()}, which is not there: put the key "
            "back there, or remove the link to have a new one made, which does not open what the "
            "old one closed."
        )
        raise KeyFileError(message) from None
    except OSError as fault:
        message = f"The key file {path} can't be read: {fault.strerror}."
        raise KeyFileError(message) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        message = f"The key file {path} is no file: put the key back from a backup."
        raise KeyFileError(message)
    return os.fdopen(descriptor, "rb")


def write(path: Path, secret: bytes) -> None:
    """Writes a new key file, safe from a power cut; refuses one that is there already."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())


class KeyRing:
    """The secret that seals, and the earlier ones that still open; read anew at each use.

    So every process of a folder goes on while the secret is rotated.
    """

    def __init__(self, path: Path, setting: str = "", fallbacks: str = "") -> None:
        """Takes the secrets from the settings, earlier ones comma-separated, or from a file."""
        self._path = path
        self._earlier = path.with_name(f"{path.name}.old")
        self._told = [text.encode() for text in (setting, *fallbacks.split(",")) if text]
        self._is_told = bool(setting)

    @property
    def is_file(self) -> bool:
        """Whether the secret is a file of this folder, and not the operator's setting."""
        return not self._is_told

    def secrets(self) -> list[bytes]:
        """Returns the present secret and the earlier ones."""
        if self._is_told:
            return self._told
        found = [read_or_make(self._path)]
        with suppress(FileNotFoundError):
            found.append(read(self._earlier))
        return found + self._told

    def renew(self) -> bool:
        """Puts a new secret in the file's place; the earlier one opens until `drop_earlier`.

        Tells whether there is a new one: where a renewal was interrupted after that it is there
        already, and a secret that is set is the operator's to change.
        """
        if self._is_told:
            return False
        present = read_or_make(self._path)
        if self._earlier.exists() and read(self._earlier) != present:
            return False
        draft = self._path.with_name(f"{self._path.name}.{secrets.token_hex(8)}")
        write(draft, secrets.token_bytes(SECRET_BYTES))
        with suppress(FileExistsError):  # one was interrupted before the new secret was there
            os.link(self._path, self._earlier)
        sync(self._path.parent)
        draft.replace(self._path)
        sync(self._path.parent)
        return True

    def drop_earlier(self) -> None:
        """Removes the earlier secret, which nothing is sealed with any more."""
        self._earlier.unlink(missing_ok=True)


def publish_text(path: Path, text: str) -> None:
    """Writes a small file that is there whole or not at all; the first of several writers wins."""
    _publish(path, text.encode())


def _publish(path: Path, content: bytes) -> None:
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    write(draft, content)
    try:
        with suppress(FileExistsError):
            os.link(draft, path)
            sync(path.parent)
    finally:
        draft.unlink()
