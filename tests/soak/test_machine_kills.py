"""A machine of three is killed again and again, its whole tree, while all are asked.

What is promised holds for a machine that has nothing else to do. Where other work takes processors
meanwhile, the time beyond the lease may be so many times as long as it took the test longer.
`SOAK_KILLS` says how often, thirty times where it does not.
"""

import json
import os
import random
import sys
import time
from pathlib import Path

import pytest
from tests.built_models import Built
from tests.e2e.cluster import Load, running, until
from tests.e2e.killing import ROW
from tests.e2e.processor_share import ProcessorShare
from tests.e2e.test_deployments import deploy

from modelwright.machines.domain import PACE_CLUSTER

pytestmark = pytest.mark.soak
KILLS = int(os.environ.get("SOAK_KILLS", "30"))
REPLICAS = 3
GRACE_SECONDS = 5.0
"""After a kill, requests that another machine could answer may fail for so long."""
REPLACED_SECONDS = 15.0
"""After a kill, its replicas have to be elsewhere."""
LEASE_SECONDS = PACE_CLUSTER.lease_seconds
PATIENCE_SECONDS = 600.0
"""How long what is late is waited for, to tell how late it is."""
BETWEEN_SECONDS = (1.0, 4.0)


class TestMachineKills:
    def test_lose_no_answer_for_long_and_give_none_twice(self, tmp_path: Path, species: Built):
        chance = random.Random(KILLS)
        kills: list[tuple[float, float]] = []
        replaced: list[tuple[float, float]] = []
        share = ProcessorShare()
        with running(tmp_path) as cluster:
            cluster.servers[0].give_model("p", species)
            with cluster.client() as client:
                deployment = deploy(client, "p", replicas=REPLICAS, auto_scale=False)
            load = Load(cluster, f"/predict/{deployment}", ROW)
            for _ in range(KILLS):
                time.sleep(chance.uniform(*BETWEEN_SECONDS))
                victim = chance.choice(cluster.servers)
                killed, mark = time.monotonic(), share.mark()
                victim.kill()
                all_there = lambda: sum(cluster.counts()) == REPLICAS  # noqa: E731 - read at once
                until(all_there, within=PATIENCE_SECONDS, why=cluster.told)
                took, slowness = time.monotonic() - killed, share.slowness_since(mark)
                victim.start()
                slowness = max(slowness, share.slowness_since(mark))
                replaced.append((took, slowness))
                sys.stdout.write(f"replaced after {took:.1f} s, {slowness:.1f} times as slow\n")
                kills.append((killed, killed + GRACE_SECONDS * slowness))
            failed = load.stop()
        share.stop()
        late = [
            one
            for one in failed
            if not any(at <= one[0] + one[1] and one[0] <= end for at, end in kills)
        ]
        beyond = [
            (round(took, 1), round(slowness, 1))
            for took, slowness in replaced
            if took > LEASE_SECONDS + (REPLACED_SECONDS - LEASE_SECONDS) * slowness
        ]
        slowest = max(seconds for _, seconds, _, _ in load.told)
        told = {
            "kills": len(kills),
            "requests": len(load.told),
            "failed within 5 s": len(failed) - len(late),
            "failed later": len(late),
            "slowest answer": round(slowest, 2),
            "replaced after at most": round(max(took for took, _ in replaced), 1),
            "slowness at most": round(max(slowness for _, slowness in replaced), 1),
            "kills on a quiet machine": sum(slowness == 1.0 for _, slowness in replaced),
        }
        sys.stdout.write(f"{json.dumps(told)}\n")
        assert late == [], told
        assert beyond == [], told
        assert len(load.request_ids) == len(set(load.request_ids)), told
