"""Secrets the server makes for itself at its first start, kept in files only their owner reads."""

import os
import secrets
from pathlib import Path

SECRET_BYTES = 32


def read_or_make(path: Path) -> bytes:
    """Returns the secret kept in a file, made there first where there is none.

    Processes that start at the same moment agree on one secret.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, path)
    finally:
        draft.unlink()
    return path.read_bytes()


def _publish(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
