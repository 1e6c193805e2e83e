"""A PostgreSQL and a Redis of one's own, for servers that are measured over them."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

PROGRAMS = ("postgres", "redis-server")


@contextmanager
def postgresql_and_redis() -> Iterator[dict[str, str]]:
    """Runs both until the end of the block; gives the settings of a server over them."""
    from tests.unit.connections.servers import PASSWORD, postgresql
    from tests.unit.core import redis_server

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(postgresql())
        postgres.run("create database shared")
        redis = stack.enter_context(redis_server.running(folder))
        address = f"owner:{PASSWORD}@127.0.0.1:{postgres.port}/shared"
        yield {
            "database_url": f"postgresql+psycopg://{address}",
            "redis_url": redis.url,
            "secret_key": "the secret of this measurement",
        }


def their_processes() -> list[psutil.Process]:
    """The processes of both that this one started."""
    started = psutil.Process().children(recursive=True)
    return [one for one in started if one.name() in PROGRAMS]
