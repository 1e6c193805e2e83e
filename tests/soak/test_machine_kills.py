"""A machine of three is killed again and again, its whole tree, while all are asked.

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
from tests.e2e.test_deployments import deploy

pytestmark = pytest.mark.soak
KILLS = int(os.environ.get("SOAK_KILLS", "30"))
REPLICAS = 3
GRACE_SECONDS = 5.0
"""After a kill, requests that another machine could answer may fail for so long."""
REPLACED_SECONDS = 15.0
BETWEEN_SECONDS = (1.0, 4.0)


class TestMachineKills:
    def test_lose_no_answer_for_long_and_give_none_twice(self, tmp_path: Path, species: Built):
        chance = random.Random(KILLS)
        kills: list[float] = []
        replaced: list[float] = []
        with running(tmp_path) as cluster:
            cluster.servers[0].give_model("p", species)
            with cluster.client() as client:
                deployment = deploy(client, "p", replicas=REPLICAS, auto_scale=False)
            load = Load(cluster, f"/predict/{deployment}", ROW)
            for _ in range(KILLS):
                time.sleep(chance.uniform(*BETWEEN_SECONDS))
                victim = chance.choice(cluster.servers)
                kills.append(time.monotonic())
                victim.kill()
                until(lambda: sum(cluster.counts()) == REPLICAS, why=cluster.told)
                replaced.append(time.monotonic() - kills[-1])
                victim.start()
            failed = load.stop()
        late = [
            one
            for one in failed
            if not any(at <= one[0] + one[1] and one[0] <= at + GRACE_SECONDS for at in kills)
        ]
        slowest = max(seconds for _, seconds, _, _ in load.told)
        told = {
            "kills": len(kills),
            "requests": len(load.told),
            "failed within 5 s": len(failed) - len(late),
            "failed later": len(late),
            "slowest answer": round(slowest, 2),
            "replaced after at most": round(max(replaced), 1),
        }
        sys.stdout.write(f"{json.dumps(told)}\n")
        assert late == [], told
        assert max(replaced) < REPLACED_SECONDS, told
        assert len(load.request_ids) == len(set(load.request_ids)), told
