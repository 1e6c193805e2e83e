"""A cluster of Ray on loopback: a head without processors, and nodes of one each.

Prints its address; then `kill` on its input kills a node, and the end of the input ends it.
"""

import sys

from ray.cluster_utils import Cluster

LOOPBACK = "127.0.0.2"
"""Ray takes 127.0.0.1 for the machine's own address in its network."""
NODE_BYTES = 200 * 1024**2


def main(nodes: int) -> None:
    """Runs the cluster until the input ends."""
    plain = {"node_ip_address": LOOPBACK, "object_store_memory": NODE_BYTES}
    head = {**plain, "num_cpus": 0, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    workers = [cluster.add_node(num_cpus=1, **plain) for _ in range(nodes)]
    cluster.wait_for_nodes()
    print(cluster.address, flush=True)  # noqa: T201 - whoever started it reads this
    for _ in sys.stdin:
        cluster.remove_node(workers.pop(), allow_graceful=False)
        print("killed", flush=True)  # noqa: T201 - likewise
    cluster.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]))
