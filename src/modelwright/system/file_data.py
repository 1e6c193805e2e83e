"""Brings what was written to a file to the disk."""

import os


def sync_data(descriptor: int) -> None:
    """Waits until a file's bytes are on the disk, and what of its entry is needed to read them.

    Where the system cannot leave the rest of the entry out, such as its times, all of it waits.
    """
    getattr(os, "fdatasync", os.fsync)(descriptor)
