"""What `ps` calls the processes of a server, and how tests find them by it."""

import psutil

PREFIX = "modelwright: "


def name_of(process: psutil.Process) -> str:
    """Its part of the server, such as `worker`; empty for one of another kind or that has ended."""
    try:
        title = " ".join(process.cmdline()).strip("\0 ")
    except psutil.NoSuchProcess:
        return ""
    return title.removeprefix(PREFIX) if title.startswith(PREFIX) else ""


def named(parent: psutil.Process, name: str) -> list[psutil.Process]:
    """The descendants of a process whose names begin so."""
    return [one for one in parent.children(recursive=True) if name_of(one).startswith(name)]
