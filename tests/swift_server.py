"""A whole Swift with its S3 interface in one process; run by the Python that Debian's Swift is for.

It checks every signature. Told are a folder of its own and a port on loopback.
"""

import os
import sys

import eventlet  # type: ignore[import-not-found]

eventlet.monkey_patch()
os.fsync = os.fdatasync = lambda _file: None  # type: ignore[assignment] # nobody asks what is there after a power cut

from pathlib import Path  # noqa: E402 - what is imported from here on is patched

from swift.common import utils  # type: ignore[import-not-found] # noqa: E402

# What a machine's /etc/swift/swift.conf would say, which this needs none of.
utils.HASH_PATH_PREFIX = utils.HASH_PATH_SUFFIX = b"tests"

from swift.common.ring import RingBuilder  # type: ignore[import-not-found] # noqa: E402
from swift.common.wsgi import loadapp  # type: ignore[import-not-found] # noqa: E402

PARTS = ("account", "container", "object")
SHARED = """[DEFAULT]
swift_dir = {folder}
devices = {folder}/node
mount_check = false
fallocate_reserve = 0
"""
PART = """[pipeline:main]
pipeline = server
[app:server]
use = egg:swift#{name}
"""
PROXY = """[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
cors_allow_origin = *
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
storage_domain = s3.test
cors_preflight_allow_origin = *
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
"""


class Nowhere:
    """Takes the lines of the access logs."""

    def write(self, _line: str) -> None: ...


def serve(folder: Path, port: int) -> None:
    (folder / "node" / "disk").mkdir(parents=True, exist_ok=True)
    for name in PARTS:
        listener = eventlet.listen(("127.0.0.1", 0))
        _ring(folder / f"{name}.ring.gz", listener.getsockname()[1])
        app = _app(folder, name, PART.format(name=name))
        eventlet.spawn(eventlet.wsgi.server, listener, app, Nowhere(), debug=False)
    proxy = _app(folder, "proxy", PROXY)
    eventlet.wsgi.server(eventlet.listen(("127.0.0.1", port)), proxy, Nowhere(), debug=False)


def _ring(path: Path, port: int) -> None:
    builder = RingBuilder(part_power=2, replicas=1, min_part_hours=0)
    place = {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": port}
    again = {"replication_ip": "127.0.0.1", "replication_port": port}
    builder.add_dev({**place, **again, "device": "disk", "weight": 1})
    builder.rebalance()
    builder.get_ring().save(str(path))


def _app(folder: Path, name: str, text: str) -> object:
    path = folder / f"{name}.conf"
    path.write_text(SHARED.format(folder=folder) + text)
    return loadapp(str(path))


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
