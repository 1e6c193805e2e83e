"""What is written in one turn of the loop goes out together, in its order, and nothing is lost."""

import asyncio
from collections.abc import Callable

from modelwright.core.joined import MOST, Joined


class Recorder(asyncio.Transport):
    """A transport that keeps what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.told.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def written(work: Callable[[Joined], None]) -> list[bytes]:
    """Runs work in a loop and gives what went out by the end of the next turn."""

    async def turn() -> list[bytes]:
        inner = Recorder()
        work(Joined(inner, asyncio.get_running_loop()))
        await asyncio.sleep(0)
        return inner.told

    return asyncio.run(turn())


class TestJoined:
    def test_a_head_and_its_body_are_one(self):
        assert written(lambda out: [out.write(b"head"), out.write(b"body")]) == [b"headbody"]

    def test_what_stands_alone_goes_when_the_loop_turns(self):
        assert written(lambda out: out.write(b"head")) == [b"head"]

    def test_many_parts_keep_their_order(self):
        parts = [b"head", b"one", b"two", b"three", b"four"]
        told = written(lambda out: [out.write(part) for part in parts])
        assert told == [b"".join(parts)]

    def test_much_is_not_held(self):
        told = written(lambda out: [out.write(b"x" * (MOST + 1)), out.write(b"end")])
        assert list(map(len, told)) == [MOST + 1, 3]

    def test_closing_sends_what_is_held(self):
        assert written(lambda out: [out.write(b"last"), out.close()]) == [b"last"]

    def test_a_connection_that_is_gone_is_not_written_to(self):
        def lose(out: Joined) -> None:
            out.write(b"late")
            out._transport.close()

        assert written(lose) == []
