"""A cluster of Ray on loopback: a head without processors, and nodes of one each.

Prints its address; then `kill` on its input kills a node, `add` starts one more, and the end of the
input ends it.
"""

import sys
from typing import Any

from ray.cluster_utils import Cluster

LOOPBACK = "127.0.0.2"
"""Ray takes 127.0.0.1 for the machine's own address in its network."""
TRIES = 4
"""How often a node is started."""
NODE_BYTES = 200 * 1024**2


def main(nodes: int) -> None:
    """Runs the cluster until the input ends."""
    plain = {"node_ip_address": LOOPBACK, "object_store_memory": NODE_BYTES}
    head = {**plain, "num_cpus": 0, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    workers = [_node(cluster, plain) for _ in range(nodes)]
    print(cluster.address, flush=True)  # noqa: T201 - whoever started it reads this
    for line in sys.stdin:
        if line.strip() == "add":
            workers.append(_node(cluster, plain))
            print("added", flush=True)  # noqa: T201 - likewise
            continue
        cluster.remove_node(workers.pop(), allow_graceful=False)
        print("killed", flush=True)  # noqa: T201 - likewise
    cluster.shutdown()


def _node(cluster: Cluster, plain: dict[str, Any]) -> Any:
    """Adds a node; on a busy machine its start may take longer than Ray waits for it."""
    for _ in range(TRIES - 1):
        try:
            return cluster.add_node(num_cpus=1, **plain)
        except Exception:  # noqa: BLE001 - Ray says it in several ways
            continue
    return cluster.add_node(num_cpus=1, **plain)


if __name__ == "__main__":
    main(int(sys.argv[1]))
