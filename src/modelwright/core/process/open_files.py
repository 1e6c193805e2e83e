"""How many files and connections a process may have open: as many as its user may ask for."""

import resource

MAX_OPEN_FILES = 65_536
"""More serves nobody, and some libraries go through all there may be."""


def raise_limit() -> None:
    """Raises the limit that a shell or a service manager set low; children have it too."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
