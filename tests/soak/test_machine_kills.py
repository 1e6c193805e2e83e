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
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.built_models import Built
from tests.e2e.cluster import Cluster, KeyedLoad, Load, running, until
from tests.e2e.killing import ROW
from tests.e2e.processor_share import ProcessorShare
from tests.e2e.server import Server
from tests.e2e.test_deployments import deploy

from modelwright.machines.domain import PACE_CLUSTER

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
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
UPLOAD_PAUSE_SECONDS = 1.5
"""Between two uploads: an account has so many requests a minute, and each is sent twice."""
UPLOAD = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}


class Killer:
    """Kills machines that hold replicas, starts them again, and notes what that cost."""

    def __init__(self, cluster: Cluster) -> None:
        self.kills: list[tuple[float, float]] = []
        """When each began, and until when requests may fail."""
        self.replaced: list[tuple[float, float]] = []
        """After how many seconds all replicas were there, and how slow the machine was."""
        self.held: list[int] = []
        """How many replicas each machine had that was killed."""
        self.most = 0
        """As many replicas as ever ran at once."""
        self._cluster = cluster
        self._chance = random.Random(KILLS)
        self._share = ProcessorShare()

    def strike(self) -> None:
        """Kills one of the machines that hold a replica; waits until all replicas are elsewhere."""
        self._watch(self._chance.uniform(*BETWEEN_SECONDS))
        victim, held = self._chance.choice(list(self._holders()))
        killed, mark = time.monotonic(), self._share.mark()
        victim.kill()
        until(self._all_there, within=PATIENCE_SECONDS, why=self._cluster.told)
        took, slowness = time.monotonic() - killed, self._share.slowness_since(mark)
        victim.start()
        slowness = max(slowness, self._share.slowness_since(mark))
        self.held.append(held)
        self.replaced.append((took, slowness))
        self.kills.append((killed, killed + GRACE_SECONDS * slowness))
        sys.stdout.write(f"{held} replaced after {took:.1f} s, {slowness:.1f} times as slow\n")

    def stop(self) -> None:
        """Ends the measuring, once it has been seen that no replica too many came."""
        self._watch(BETWEEN_SECONDS[1])
        self._share.stop()

    def allows(self, failed: tuple[float, float, int, int]) -> bool:
        """Whether a request fell so soon after a kill that it may have failed."""
        began, seconds, *_ = failed
        return any(at <= began + seconds and began <= end for at, end in self.kills)

    def beyond(self) -> list[tuple[float, float]]:
        """The kills after which replicas came too late."""
        return [
            (round(took, 1), round(slowness, 1))
            for took, slowness in self.replaced
            if took > LEASE_SECONDS + (REPLACED_SECONDS - LEASE_SECONDS) * slowness
        ]

    def _holders(self) -> Iterator[tuple[Server, int]]:
        for server, number in zip(self._cluster.servers, self._cluster.counts(), strict=True):
            if number:
                yield server, number

    def _watch(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._count()
            time.sleep(0.2)

    def _count(self) -> int:
        number = sum(self._cluster.counts())
        self.most = max(self.most, number)
        return number

    def _all_there(self) -> bool:
        return self._count() >= REPLICAS


class TestMachineKills:
    def test_lose_no_answer_for_long_and_make_nothing_twice(self, tmp_path: Path, species: Built):
        with running(tmp_path) as cluster:
            cluster.servers[0].give_model("p", species)
            with cluster.client() as client:
                deployment = deploy(client, "p", replicas=REPLICAS, auto_scale=False)
                before = client.uploads.list(limit=1)["pagination"]["total"]
            loads = {
                "predict": Load(cluster, f"/predict/{deployment}", ROW, callers=2),
                "infer": Load(cluster, "/models/p/infer", ROW, callers=2),
                "upload": (
                    uploads := KeyedLoad(
                        cluster, "/data/upload", UPLOAD, pause_seconds=UPLOAD_PAUSE_SECONDS
                    )
                ),
            }
            killer = Killer(cluster)
            for _ in range(KILLS):
                killer.strike()
            killer.stop()
            failed = {name: load.stop() for name, load in loads.items()}
            uploads.finish()
            with cluster.client() as client:
                made = client.uploads.list(limit=1)["pagination"]["total"] - before
        late = {
            name: [one for one in those if not killer.allows(one)] for name, those in failed.items()
        }
        ids = [{one["upload_id"] for one in told} for told in uploads.answers.values()]
        told = {
            "kills": len(killer.kills),
            "replicas killed": sum(killer.held),
            "requests": {name: len(load.told) for name, load in loads.items()},
            "asked again": {
                name: sum(one[3] > 1 for one in load.told) for name, load in loads.items()
            },
            "failed within 5 s": sum(map(len, failed.values())) - sum(map(len, late.values())),
            "failed later": sum(map(len, late.values())),
            "slowest answer": {
                name: round(max(one[1] for one in load.told), 2) for name, load in loads.items()
            },
            "replaced after at most": round(max(took for took, _ in killer.replaced), 1),
            "slowness at most": round(max(slowness for _, slowness in killer.replaced), 1),
            "kills on a quiet machine": sum(slowness == 1.0 for _, slowness in killer.replaced),
            "uploads": made,
            "replicas at most": killer.most,
        }
        sys.stdout.write(f"{json.dumps(told)}\n")
        assert late == {name: [] for name in loads}, told
        assert killer.beyond() == [], told
        assert killer.most == REPLICAS, told
        assert {len(one) for one in ids} == {1}, told
        assert made == len(ids) == len(set.union(*ids)), told
