"""Installs models' files: downloaded and resumed, or copied; none is used before it is whole."""

import shutil
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from modelwright.core.file_sync import sync
from modelwright.language_models.domain import KNOWN_MODELS, KnownModel, installed_dir

if TYPE_CHECKING:
    import httpx

CHUNK_BYTES = 1 << 20
"""Bytes that are copied at a time."""
CONNECT_SECONDS = 20.0
"""How long the connection may take to be opened."""
READ_SECONDS = 60.0
"""How long the next bytes may take to come."""
SPARE_BYTES = 512 << 20
"""Room on disk that is left beside a model's file."""
MAX_TRIES = 5
"""How often a download that breaks off is taken up again by itself."""
Progress = Callable[[int, int], None]
"""Is told the bytes that are there and the bytes there will be."""


class InstallationError(Exception):
    """A model's file could not be installed; the sentence says why and what to do."""


def known(name: str) -> KnownModel:
    """Finds a model by its name; refuses one that is not known."""
    for model in KNOWN_MODELS:
        if model.name == name:
            return model
    names = ", ".join(model.name for model in KNOWN_MODELS)
    raise InstallationError(
        f"There is no model {name!r}; known are {names}. Any other GGUF file is used by setting"
        " MODELWRIGHT_LANGUAGE_MODEL_FILE to its path."
    )


def installed(model: KnownModel, data_dir: Path) -> Path | None:
    """Tells where a model's file is installed; None where it is not."""
    path = installed_dir(data_dir) / model.filename
    return path if path.exists() and path.stat().st_size == model.size_bytes else None


def download(model: KnownModel, data_dir: Path, progress: Progress, url: str = "") -> Path:
    """Downloads a model's file, taking up what an earlier try left.

    Args:
        model: What is installed.
        data_dir: The data folder that it is installed in.
        progress: Is told how far it is.
        url: Another place to take the same file from, such as a mirror.

    Returns:
        The installed file.

    Raises:
        InstallationError: There is no room, it can't be reached, or it is not the right file.
    """
    target, part = _places(model, data_dir)
    _make_room(model, part)
    for tried in range(1, MAX_TRIES + 1):
        before = part.stat().st_size if part.exists() else 0
        try:
            _fetch(url or model.url, part, model, progress)
            break
        except InstallationError:
            is_stuck = not part.exists() or part.stat().st_size <= before
            if tried == MAX_TRIES or is_stuck:
                raise
    return _put(model, part, target)


def copy(model: KnownModel, source: Path, data_dir: Path, progress: Progress) -> Path:
    """Installs a file that was brought here otherwise, for machines without the internet.

    Args:
        model: What is installed.
        source: The publisher's file.
        data_dir: The data folder that it is installed in.
        progress: Is told how far it is.

    Returns:
        The installed file.

    Raises:
        InstallationError: It can't be read, there is no room, or it is not the right file.
    """
    target, part = _places(model, data_dir)
    part.unlink(missing_ok=True)
    _make_room(model, part)
    try:
        with source.open("rb") as given, part.open("wb") as kept:
            done = 0
            while piece := given.read(CHUNK_BYTES):
                kept.write(piece)
                done += len(piece)
                progress(done, model.size_bytes)
    except OSError as fault:
        part.unlink(missing_ok=True)
        raise InstallationError(f"{source} can't be copied: {fault.strerror}.") from fault
    return _put(model, part, target)


def remove(model: KnownModel, data_dir: Path) -> bool:
    """Deletes a model's file and what a broken download left; tells whether it was there."""
    target, part = _places(model, data_dir)
    was_there = target.exists() or part.exists()
    target.unlink(missing_ok=True)
    part.unlink(missing_ok=True)
    return was_there


def _places(model: KnownModel, data_dir: Path) -> tuple[Path, Path]:
    folder = installed_dir(data_dir)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / model.filename
    return target, target.with_suffix(".gguf.part")


def _make_room(model: KnownModel, part: Path) -> None:
    there = part.stat().st_size if part.exists() else 0
    free = shutil.disk_usage(part.parent).free
    needed = model.size_bytes - there + SPARE_BYTES
    if free < needed:
        raise InstallationError(
            f"{part.parent} has {free / 1e9:.1f} GB free, but {needed / 1e9:.1f} GB are needed."
        )


def _fetch(url: str, part: Path, model: KnownModel, progress: Progress) -> None:
    """Goes on with a download where it stands."""
    import httpx  # noqa: PLC0415 - heavy, and only here

    there = part.stat().st_size if part.exists() else 0
    if there >= model.size_bytes:
        return
    headers = {"Range": f"bytes={there}-"} if there else {}
    timeout = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
    try:
        with (
            httpx.Client(follow_redirects=True, timeout=timeout) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            done = _start_of(response, there)
            with part.open("ab" if done else "wb") as kept:
                _keep(response, kept, done, model, progress)
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        raise InstallationError(
            f"{url} can't be downloaded: {type(fault).__name__}. Run the command again to go on"
            " where it stopped; on a machine without the internet use --from FILE."
        ) from fault


def _start_of(response: "httpx.Response", there: int) -> int:
    """Tells from which byte an answer goes on; a server that can't resume starts anew."""
    if response.status_code == HTTPStatus.PARTIAL_CONTENT and there:
        return there
    if response.status_code == HTTPStatus.OK:
        return 0
    raise InstallationError(f"{response.url} answered {response.status_code}.")


def _keep(
    response: "httpx.Response", kept: BinaryIO, done: int, model: KnownModel, progress: Progress
) -> None:
    for piece in response.iter_bytes(CHUNK_BYTES):
        kept.write(piece)
        done += len(piece)
        if done > model.size_bytes:
            raise InstallationError(f"{response.url} is longer than the publisher's file.")
        progress(done, model.size_bytes)


def _put(model: KnownModel, part: Path, target: Path) -> Path:
    """Puts a whole file in its place; deletes one that is not the publisher's."""
    size = part.stat().st_size
    if size < model.size_bytes:
        raise InstallationError(
            f"The file has {size} of {model.size_bytes} bytes; run the command again to go on."
        )
    if hash_of(part) != model.sha256:
        part.unlink()
        raise InstallationError(
            f"The file is not the publisher's {model.title}: its SHA-256 is another. It was"
            " deleted; nothing was installed."
        )
    sync(part)
    part.replace(target)
    sync(target.parent)
    return target


def hash_of(path: Path) -> str:
    """Returns a file's SHA-256 in hexadecimal digits."""
    digest = sha256()
    with path.open("rb") as given:
        while piece := given.read(CHUNK_BYTES):
            digest.update(piece)
    return digest.hexdigest()
