"""Says who this machine is, by its settings and by the name that its data folder keeps."""

import socket
from pathlib import Path

from modelwright import __version__
from modelwright.core.config.secret_files import publish_text
from modelwright.core.config.settings import Settings
from modelwright.core.ids import new_id
from modelwright.core.logging import logger
from modelwright.machines.domain import MachineIdentity

ID_FILE = "machine.id"
PLACE_FILE = "machine.place"
"""Says where the other file lay when it was written."""
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
    """Returns the name that a data folder keeps for its machine, made at the first call.

    A copy of the folder, which another machine may use beside the first one, gets a name of its
    own: two workers of one name would take each other's jobs for those of the dead.
    """
    path, place = folder / ID_FILE, folder / PLACE_FILE
    if path.exists() and place.exists() and place.read_text("ascii") != _place_of(path):
        logger().warning("machines.copied_folder", former=path.read_text("ascii").strip())
        path.unlink(missing_ok=True)
        place.unlink(missing_ok=True)
        publish_text(path, new_id("machine"))
    if not path.exists():
        publish_text(path, _earlier_name(folder) or new_id("machine"))
    if not place.exists():
        publish_text(place, _place_of(path))
    return path.read_text(encoding="ascii").strip()


def _place_of(path: Path) -> str:
    """Tells where a file lies on its disk: that stays, and no copy has it."""
    return str(path.stat().st_ino)


def _earlier_name(folder: Path) -> str:
    try:
        return (folder / WORKER_LOCK).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
