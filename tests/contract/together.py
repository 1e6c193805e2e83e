"""What holds across machines behind one address: what one of them gave, any other honours.

A module that runs machines inherits the class and gives it `world` and `machines`.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
from tests.contract.world import World

TABLE = b"a,b\n1,x\n2,y\n"


class Together:
    """`machines` are clients of each machine, past the one address and without a key."""

    def test_an_idempotency_key_holds_on_all(self, world: World, machines: list[httpx.Client]):
        headers = key_of(world) | {"idempotency-key": "once-for-all"}
        body = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
        answers = [one.post("/data/upload", json=body, headers=headers) for one in machines * 2]
        assert {one.status_code for one in answers} == {200}, answers[0].text
        assert len({one.json()["upload_id"] for one in answers}) == 1

    def test_an_idempotency_key_that_all_are_given_at_once_makes_one_thing(
        self, world: World, machines: list[httpx.Client]
    ):
        headers = key_of(world) | {"idempotency-key": "at-once-for-all"}
        body = {"name": "at once", "files": [{"filename": "a.csv", "content_type": "text/csv"}]}
        callers = machines * 4
        start = Barrier(len(callers), timeout=60)

        def ask(machine: httpx.Client) -> httpx.Response:
            start.wait()
            return machine.post("/data/upload", json=body, headers=headers)

        with ThreadPoolExecutor(len(callers)) as threads:
            answers = list(threads.map(ask, callers))
        assert {one.status_code for one in answers} == {200}, [one.text for one in answers]
        assert len({one.json()["upload_id"] for one in answers}) == 1
        listed = machines[0].get("/uploads", params={"name": "at once"}, headers=key_of(world))
        assert listed.json()["pagination"]["total"] == 1

    def test_a_revoked_key_is_refused_by_all_at_once(
        self, world: World, machines: list[httpx.Client]
    ):
        body = {"name": "short-lived", "permission_level": "read_only"}
        for at in range(len(machines)):
            made = machines[at].post("/auth/api-keys", json=body, headers=key_of(world)).json()
            headers = {"x-api-key": made["key"]}
            seen = [one.get("/models", headers=headers).status_code for one in machines]
            assert set(seen) == {200}
            machines[at - 1].delete(f"/auth/api-keys/{made['key_id']}", headers=key_of(world))
            told = [one.get("/models", headers=headers).json() for one in machines]
            assert {one["error"]["code"] for one in told} == {"revoked_key"}

    def test_addresses_that_one_signed_are_taken_by_any(
        self, world: World, machines: list[httpx.Client]
    ):
        export = self._exported(world, machines)
        url = export["files"][0]["download_url"]
        contents = [one.get(url).content for one in machines]
        assert [one.splitlines()[0] for one in contents] == [b"a,b"] * len(machines)
        wrong = re.sub("(signature=)", r"\g<1>0", url, flags=re.IGNORECASE)
        forged = [one.get(wrong) for one in machines]
        assert {one.status_code for one in forged} <= {400, 401, 403}

    def test_events_of_a_job_are_told_by_any_machine_and_go_on_at_another(
        self, world: World, machines: list[httpx.Client]
    ):
        export = self._exported(world, machines, is_followed=True)
        path = f"/jobs/{export['job_id']}/events"
        told = [events_of(one.get(path, headers=key_of(world)).text) for one in machines]
        assert all(one == told[0] for one in told)
        assert told[0][-1]["event"] == "end"
        for at, event in enumerate(told[0][:-1]):
            headers = key_of(world) | {"last-event-id": event["id"]}
            rest = machines[at % len(machines)].get(path, headers=headers)
            assert events_of(rest.text) == told[0][at + 1 :]

    def _exported(
        self, world: World, machines: list[httpx.Client], *, is_followed: bool = False
    ) -> dict[str, Any]:
        """Uploads and exports a table, each request to another machine; tells of the export.

        Where it is followed, another machine tells of its job from before its work until its end.
        """
        first, *_, last = machines
        key = key_of(world)
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        upload = first.post("/data/upload", json={"files": files}, headers=key).json()
        [file] = upload["files"]
        assert last.put(file["presigned_url"], content=TABLE).status_code < 300
        there = {name: file[name] for name in ("filename", "object_key")}
        body = {"upload_id": upload["upload_id"], "status": "complete", "files": [there]}
        confirmed = last.post("/uploads/status", json=body, headers=key)
        assert confirmed.status_code == 200, confirmed.text
        world.work()
        wish = {"upload_id": upload["upload_id"], "format": "csv"}
        made = first.post("/data/export", json=wish, headers=key).json()
        path = f"/data/export/{made['export_id']}"
        job_id = last.get(path, headers=key).json()["job_id"]
        with ThreadPoolExecutor() as followers:
            ask = lambda: last.get(f"/jobs/{job_id}/events", headers=key)  # noqa: E731 - once
            followed = followers.submit(ask) if is_followed else None
            world.work()
            if followed is not None:
                assert events_of(followed.result(60).text)[-1]["event"] == "end"
        export = dict(first.get(path, headers=key).json())
        assert export["status"] == "completed", export
        return export


def key_of(world: World) -> dict[str, str]:
    """The header of the tour's account."""
    return {"x-api-key": world.api.headers["x-api-key"]}


def events_of(text: str) -> list[dict[str, str]]:
    """Reads server-sent events."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if block]
    return [dict(line.split(": ", 1) for line in lines if ": " in line) for lines in blocks]
