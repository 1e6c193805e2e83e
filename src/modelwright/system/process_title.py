"""What `ps` calls a process of the server: `modelwright: worker`."""

PREFIX = "modelwright: "


def set_title(part: str) -> None:
    """Names this process after its part; where that cannot be done, it keeps its command line."""
    try:
        from setproctitle import setproctitle  # noqa: PLC0415 - a system without it runs as well
    except ImportError:
        return
    setproctitle(PREFIX + part)
