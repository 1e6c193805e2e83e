"""The process that keeps the replicas of all deployments; one at a time works on a data folder."""

import threading

from modelwright.bootstrap.startup import open_container, until_there
from modelwright.core.config.settings import Settings
from modelwright.core.logging import set_up
from modelwright.core.process import heartbeat
from modelwright.core.process.locks import file_lock
from modelwright.core.process.stop_signals import on_stop_signal


def host_replicas(settings: Settings) -> None:
    """Keeps replicas until SIGTERM; stands by while the data folder has another host."""
    set_up(settings.log_level)
    stopping = threading.Event()
    on_stop_signal(stopping.set)

    def pause(seconds: float) -> bool:
        heartbeat.beat(heartbeat.START_SECONDS)
        return stopping.wait(seconds)

    settings.make_data_dir()
    with file_lock(settings.data_dir / "replicas.lock", pause) as lock:
        if lock is None:
            return
        container = until_there(lambda: open_container(settings, pause), pause)
        if container is None:
            return
        container.host().run(stopping)
        container.database.close()
