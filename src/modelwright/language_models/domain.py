"""Which models there are, where their files and sockets lie, and what was seen of them.

The process that serves a model and those that ask it agree on sockets and files by these rules,
without talking to each other.
"""

import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

LONGEST_SOCKET_CHARS = 100
"""Addresses of sockets may have 104 characters on macOS and 108 on Linux."""
SAMPLES = 4
"""How many statements a model draws side by side where it is not sure."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that can be installed by its name."""

    name: str
    title: str
    url: str
    sha256: str
    size_bytes: int
    licence: str
    licence_url: str

    @property
    def filename(self) -> str:
        """Returns the name of its file."""
        return f"{self.name}.gguf"


_QWEN = "https://huggingface.co/Qwen"
KNOWN_MODELS = (
    KnownModel(
        name="qwen2.5-coder-1.5b",
        title="Qwen2.5-Coder-1.5B-Instruct, 4 bits",
        url=f"{_QWEN}/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        size_bytes=1_117_320_768,
        licence="Apache-2.0",
        licence_url=f"{_QWEN}/Qwen2.5-Coder-1.5B-Instruct-GGUF/blob/main/LICENSE",
    ),
    KnownModel(
        name="qwen2.5-coder-0.5b",
        title="Qwen2.5-Coder-0.5B-Instruct, 4 bits",
        url=f"{_QWEN}/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        size_bytes=491_400_064,
        licence="Apache-2.0",
        licence_url=f"{_QWEN}/Qwen2.5-Coder-0.5B-Instruct-GGUF/blob/main/LICENSE",
    ),
)
"""Publisher's files; sizes and hashes are pinned, so that no other file passes for them."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model's file on this machine."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model's process is reached, and where it keeps evaluated prefixes."""

    socket: Path
    prefixes: Path

    def make(self) -> None:
        """Makes the folders, for their owner alone."""
        for folder in (self.socket.parent, self.prefixes):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def leave(self) -> None:
        """Removes the socket, and its folder unless it holds another model's."""
        self.socket.unlink(missing_ok=True)
        with suppress(OSError):
            self.socket.parent.rmdir()


def place_of(data_dir: Path, model: ModelFile) -> Place:
    """Tells where a model's process is reached.

    Sockets lie in the data folder, or, where its path is too long for a socket's address, in a
    folder of the system's for temporary files whose name only follows from that path.
    """
    folder = data_dir.resolve() / "language-models"
    tag = sha256(str(model.path).encode()).hexdigest()[:12]
    socket = folder / "sockets" / f"{tag}.sock"
    if len(str(socket)) > LONGEST_SOCKET_CHARS:
        short = sha256(str(folder).encode()).hexdigest()[:12]
        socket = Path(tempfile.gettempdir()) / f"modelwright-{short}" / f"{tag}.sock"
    return Place(socket, folder / "prefixes" / tag)


def installed_dir(data_dir: Path) -> Path:
    """Tells the folder of installed models."""
    return data_dir.resolve() / "language-models" / "files"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a model has fared since the process started."""

    name: str
    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    """Spent waiting for it."""
    last_failure: str = ""
    last_failed_at: datetime | None = None
    is_away: bool = False
    """Whether it did not answer when it was asked last."""


def model_files(data_dir: Path, configured: Iterable[Path]) -> list[ModelFile]:
    """Lists the files of models that are used: those configured, then those installed.

    The largest installed one comes first; of two with the same name only the first counts.
    """
    folder = installed_dir(data_dir)
    installed = sorted(folder.glob("*.gguf"), key=lambda path: (-path.stat().st_size, path.name))
    found: dict[str, ModelFile] = {}
    for path in [*configured, *installed]:
        found.setdefault(path.stem, ModelFile(path.stem, path.resolve()))
    return list(found.values())
