"""Says who this machine is, by its settings and by the name that its data folder keeps."""

import socket
from pathlib import Path

from modelwright import __version__
from modelwright.core.config.secret_files import publish_text
from modelwright.core.config.settings import Settings
from modelwright.core.ids import new_id
from modelwright.machines.domain import MachineIdentity

ID_FILE = "machine.id"
WORKER_LOCK = "worker.lock"
"""Held the name of a data folder before there were machines; its jobs are known by it."""


def identity(settings: Settings) -> MachineIdentity:
    """Says who this machine is."""
    return MachineIdentity(
        machine_id=machine_id(settings.data_dir),
        name=socket.gethostname(),
        address=settings.cluster_address or settings.cluster_listen,
        version=__version__,
        room=settings.replicas_at_most,
    )


def machine_id(folder: Path) -> str:
    """Returns the name that a data folder keeps for its machine, made at the first call."""
    path = folder / ID_FILE
    if not path.exists():
        publish_text(path, _earlier_name(folder) or new_id("machine"))
    return path.read_text(encoding="ascii").strip()


def _earlier_name(folder: Path) -> str:
    try:
        return (folder / WORKER_LOCK).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
