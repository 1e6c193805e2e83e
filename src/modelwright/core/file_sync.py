"""Makes what was written to a file or a folder safe from a power cut."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Waits until a file's bytes, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
