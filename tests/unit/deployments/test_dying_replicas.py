"""A replica that dies may take connections for a moment yet: it counts once as one that died."""

import asyncio
from pathlib import Path

import pytest

from modelwright.deployments.errors import AnswerLost
from modelwright.deployments.framing import FrameDecoder, pack, split
from modelwright.deployments.replica_client import MAX_ATTEMPTS, ReplicaClient
from modelwright.deployments.replica_directory import ReplicaDirectory


class Replica:
    """Hangs up on its first requests, and answers those after."""

    def __init__(self, hang_ups: int) -> None:
        self._hang_ups = hang_ups
        self.asked = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        frames = FrameDecoder(1 << 20)
        while data := await reader.read(1 << 16):
            for number, content in frames.feed(data):
                self.asked += 1
                if self.asked <= self._hang_ups:
                    writer.close()
                    return
                writer.write(pack(number, {}, split(content)[1]))


async def ask(folder: Path, *dying: int) -> tuple[bytes, list[Replica]]:
    """Asks replicas of which each hangs up so often; gives the answer, and them."""
    made = [Replica(hang_ups) for hang_ups in dying]
    servers = [
        await asyncio.start_unix_server(one, folder / f"dep.{at}") for at, one in enumerate(made)
    ]
    try:
        _, body = await ReplicaClient(folder, ReplicaDirectory(None)).ask("dep", {}, b"row")
        return body, made
    finally:
        for server in servers:
            server.close()


def test_one_that_hangs_up_again_and_again_counts_once(tmp_path: Path) -> None:
    body, [replica] = asyncio.run(ask(tmp_path, MAX_ATTEMPTS + 2))
    assert (body, replica.asked) == (b"row", MAX_ATTEMPTS + 3)


def test_a_request_that_ends_each_replica_is_not_tried_for_ever(tmp_path: Path) -> None:
    with pytest.raises(AnswerLost):
        asyncio.run(ask(tmp_path, *[1 << 30] * MAX_ATTEMPTS))


def test_one_that_goes_on_hanging_up_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modelwright.deployments.replica_client.DYING_SECONDS", 0.0)
    with pytest.raises(AnswerLost):
        asyncio.run(ask(tmp_path, 1 << 30))
