"""Calls between machines: only who holds the secret is heard, and nobody else hears anything."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import pytest

from modelwright.core.channel.credentials import contexts
from modelwright.core.channel.peers import Channel, PeerLost, split_address

SECRET = "known to these machines alone, truly"
OTHER = "known to some other machines, really"


async def echo(
    told: dict[str, object], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answers a line with the same."""
    writer.write(str(told["word"]).encode() + await reader.readline())
    await writer.drain()


@contextmanager
def listening(*secrets: str) -> Iterator[str]:
    """Runs the called end in a thread; gives its address."""
    channel = Channel(list(secrets), "machine_a")
    channel.serve("echo", echo)
    listener = socket.create_server(("127.0.0.1", 0))
    loop = asyncio.new_event_loop()

    async def serve() -> asyncio.Server:
        return await channel.listen(listener)

    server = loop.run_until_complete(serve())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def answer(address: str, *secrets: str, to: str = "echo") -> bytes:
    """Calls with some secrets; returns what was answered."""
    with closing(Channel(list(secrets), "machine_b").call(address, to=to, word="so ")) as line:
        line.sendall(b"be it\n")
        return line.recv(100)


class TestChannel:
    def test_carries_what_is_said_between_those_who_hold_the_secret(self):
        with listening(SECRET) as address:
            assert answer(address, SECRET) == b"so be it\n"

    def test_hears_nobody_who_holds_another_secret_and_is_heard_by_none(self):
        with listening(SECRET) as address, pytest.raises((PeerLost, OSError)):
            answer(address, OTHER)

    def test_a_secret_can_be_changed_while_machines_run(self):
        with listening(SECRET, OTHER) as address:
            assert answer(address, OTHER, SECRET) == b"so be it\n"

    def test_who_has_no_certificate_is_not_heard(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with listening(SECRET) as address:
            raw = socket.create_connection(split_address(address))
            with pytest.raises((ssl.SSLError, ConnectionError)):  # noqa: PT012, SIM117
                with closing(context.wrap_socket(raw)) as line:
                    line.sendall(b'{"to": "echo", "word": "let me in "}\nplease\n')
                    if not line.recv(100):
                        raise ConnectionResetError

    def test_what_is_said_in_clear_is_not_heard(self):
        with (
            listening(SECRET) as address,
            closing(socket.create_connection(split_address(address))) as line,
        ):
            line.sendall(b'{"to": "echo", "word": "in clear "}\nplease\n')
            assert b"please" not in line.recv(1000)

    @pytest.mark.parametrize("to", ["nobody", ["a", "list"], None])
    def test_a_call_for_nobody_is_dropped_and_the_next_one_served(self, to: str):
        with listening(SECRET) as address:
            assert answer(address, SECRET, to=to) == b""
            assert answer(address, SECRET) == b"so be it\n"

    def test_what_travels_is_not_to_be_read_on_the_way(self):
        seen: list[bytes] = []
        with listening(SECRET) as address, relayed(address, seen) as between:
            assert answer(between, SECRET) == b"so be it\n"
        assert seen
        assert not [part for part in seen if b"be it" in part or SECRET.encode() in part]

    def test_speaks_nothing_older_than_tls_1_3(self):
        server, client = contexts([SECRET], "machine_a")
        assert {server.minimum_version, client.minimum_version} == {ssl.TLSVersion.TLSv1_3}
        assert {server.verify_mode, client.verify_mode} == {ssl.CERT_REQUIRED}


@contextmanager
def relayed(address: str, seen: list[bytes]) -> Iterator[str]:
    """Passes on one call by a listener who keeps all that passes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # the other direction has ended both
            while data := source.recv(65536):
                seen.append(data)
                target.sendall(data)
        with suppress(OSError):  # else the called end waits half a minute for the caller's word
            target.shutdown(socket.SHUT_WR)

    def relay() -> None:
        with listener.accept()[0] as caller, socket.create_connection(split_address(address)) as to:
            back = threading.Thread(target=pass_on, args=(to, caller))
            back.start()
            pass_on(caller, to)
            back.join()

    thread = threading.Thread(target=relay)
    thread.start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    thread.join()
    listener.close()
