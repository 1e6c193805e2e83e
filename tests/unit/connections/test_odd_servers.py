"""Servers that answer oddly are refused with 422, and get no password in clear."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from fastapi.testclient import TestClient

from modelwright.connections.driver_process import clear_of
from modelwright.core.config.settings import Settings

PASSWORD = "s3cret-in-clear"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC_KEY = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)
Answer = Callable[[socket.socket, bytearray], None]


def read(in_process_children: socket.socket, heard: bytearray) -> bytes:
    """Reads what comes next, and keeps it."""
    piece = in_process_children.recv(65536)
    heard += piece
    return piece


def postgres_startup(in_process_children: socket.socket, heard: bytearray) -> None:
    """Answers no to TLS and GSS, and reads the startup message."""
    while True:
        piece = read(in_process_children, heard)
        if not piece or piece[4:8] not in {b"\x04\xd2\x16\x2f", b"\x04\xd2\x16\x30"}:
            return
        in_process_children.sendall(b"N")


def postgres_clear(in_process_children: socket.socket, heard: bytearray) -> None:
    postgres_startup(in_process_children, heard)
    in_process_children.sendall(b"R" + struct.pack(">II", 8, 3))
    read(in_process_children, heard)


def postgres_unknown(in_process_children: socket.socket, heard: bytearray) -> None:
    postgres_startup(in_process_children, heard)
    in_process_children.sendall(b"R" + struct.pack(">II", 8, 4711))
    read(in_process_children, heard)


def postgres_odd(in_process_children: socket.socket, heard: bytearray) -> None:
    """Signs everybody in, and answers every statement with what no server says."""
    postgres_startup(in_process_children, heard)
    in_process_children.sendall(
        b"R" + struct.pack(">II", 8, 0) + b"Z" + struct.pack(">I", 5) + b"I"
    )
    while read(in_process_children, heard):
        in_process_children.sendall(
            b"D" + struct.pack(">IH", 6, 0) + b"Z" + struct.pack(">I", 5) + b"I"
        )


def mysql_packet(number: int, body: bytes) -> bytes:
    return struct.pack("<I", len(body))[:3] + bytes([number]) + body


def mysql_greeting(version: bytes = b"8.0.36", plugin: bytes = b"mysql_native_password") -> bytes:
    capabilities = 0x000FF7FF & ~0x0800  # all but TLS
    return mysql_packet(
        0,
        b"\x0a"
        + version
        + b"\0"
        + struct.pack("<I", 7)
        + b"12345678\0"
        + struct.pack("<H", capabilities & 0xFFFF)
        + b"\x21"
        + struct.pack("<H", 2)
        + struct.pack("<H", capabilities >> 16)
        + bytes([21])
        + bytes(10)
        + b"123456789012\0"
        + plugin
        + b"\0",
    )


def mysql_clear(in_process_children: socket.socket, heard: bytearray) -> None:
    in_process_children.sendall(mysql_greeting())
    read(in_process_children, heard)
    in_process_children.sendall(mysql_packet(2, b"\xfemysql_clear_password\0"))
    read(in_process_children, heard)


def mysql_dialog(in_process_children: socket.socket, heard: bytearray) -> None:
    in_process_children.sendall(mysql_greeting())
    read(in_process_children, heard)
    in_process_children.sendall(mysql_packet(2, b"\xfedialog\0\x04Password: "))
    read(in_process_children, heard)


def mysql_sha2(in_process_children: socket.socket, heard: bytearray) -> None:
    """Does not know the password yet, so that it asks for all of it, as a new server does."""
    in_process_children.sendall(mysql_greeting(plugin=b"caching_sha2_password"))
    read(in_process_children, heard)
    in_process_children.sendall(mysql_packet(2, b"\x01\x04"))
    read(in_process_children, heard)
    in_process_children.sendall(mysql_packet(4, b"\x01" + PUBLIC_KEY))
    read(in_process_children, heard)
    in_process_children.sendall(mysql_packet(6, b"\0\0\0\2\0\0\0"))
    while read(in_process_children, heard):
        in_process_children.sendall(mysql_packet(1, b"\0\0\0\2\0\0\0"))


def mysql_sha2_switched(in_process_children: socket.socket, heard: bytearray) -> None:
    """Asks for the same only once another way to sign in was tried."""
    in_process_children.sendall(mysql_greeting())
    read(in_process_children, heard)
    salt = b"12345678901234567890\0"
    in_process_children.sendall(mysql_packet(2, b"\xfecaching_sha2_password\0" + salt))
    read(in_process_children, heard)
    in_process_children.sendall(mysql_packet(4, b"\x01\x04"))
    read(in_process_children, heard)


def mysql_sha256(in_process_children: socket.socket, heard: bytearray) -> None:
    in_process_children.sendall(mysql_greeting())
    read(in_process_children, heard)
    salt = b"12345678901234567890\0"
    in_process_children.sendall(mysql_packet(2, b"\xfesha256_password\0" + salt))
    read(in_process_children, heard)


def mysql_cut(in_process_children: socket.socket, _heard: bytearray) -> None:
    in_process_children.sendall(mysql_packet(0, b"\x0a8.0"))


def mysql_old(in_process_children: socket.socket, _heard: bytearray) -> None:
    in_process_children.sendall(mysql_packet(0, b"\x09" + b"3.20\0" + bytes(9)))


def mysql_odd(in_process_children: socket.socket, heard: bytearray) -> None:
    """Signs everybody in, and answers every statement with a packet of nothing."""
    in_process_children.sendall(mysql_greeting(b"\xff\xfe"))
    read(in_process_children, heard)
    in_process_children.sendall(mysql_packet(2, b"\0\0\0\2\0\0\0"))
    while read(in_process_children, heard):
        in_process_children.sendall(mysql_packet(1, b"\xfb\xff\xff"))


def http(in_process_children: socket.socket, heard: bytearray) -> None:
    in_process_children.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    read(in_process_children, heard)


def noise(in_process_children: socket.socket, heard: bytearray) -> None:
    in_process_children.sendall(bytes(range(256)) * 64)
    read(in_process_children, heard)


def silence(_near: socket.socket, _heard: bytearray) -> None:
    """Closes at once."""


@contextmanager
def serving(answer: Answer) -> Iterator[tuple[int, bytearray]]:
    """Answers every connection in a thread; tells the port, and what was heard."""
    heard = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    in_process_children, _ = listening.accept()
                    with in_process_children, suppress(OSError):
                        in_process_children.settimeout(5)
                        answer(in_process_children, heard)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1], heard
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


CLEAR = [("postgresql", postgres_clear), ("mysql", mysql_clear), ("mysql", mysql_dialog)]
ODD = [
    ("postgresql", postgres_unknown),
    ("postgresql", postgres_odd),
    ("mysql", mysql_cut),
    ("mysql", mysql_old),
    ("mysql", mysql_odd),
    *[(kind, answer) for kind in ("postgresql", "mysql") for answer in (http, noise, silence)],
]


def body(kind: str, port: int, **options: str) -> dict[str, object]:
    return {
        "name": "odd", "type": kind, "host": "127.0.0.1", "port": port, "database": "d",
        "username": "ana", "password": PASSWORD, "options": options,
    }  # fmt: skip


class TestPasswords:
    @pytest.mark.parametrize("mode", ["disable", "prefer"])
    @pytest.mark.parametrize(("kind", "answer"), CLEAR)
    def test_none_goes_out_in_clear(self, api: TestClient, kind: str, answer: Answer, mode: str):
        with serving(answer) as (port, heard):
            told = api.post("/database/connections", json=body(kind, port, sslmode=mode))
        assert told.status_code == 422, told.text
        assert heard
        assert PASSWORD.encode() not in heard
        assert "clear" in told.text or "password" in told.text


class TestPublicKeys:
    """A key that comes over the same connection without TLS may be anybody's."""

    @pytest.mark.parametrize("answer", [mysql_sha2, mysql_sha2_switched, mysql_sha256])
    def test_a_password_is_not_sealed_with_one(self, api: TestClient, answer: Answer):
        with serving(answer) as (port, heard):
            told = api.post("/database/connections", json=body("mysql", port))
        assert told.status_code == 422, told.text
        assert "no TLS" in told.text
        assert "sslmode" in told.text
        assert "MODELWRIGHT_MYSQL_PUBLIC_KEYS" in told.text
        assert told.json()["error"]["details"][0]["field"] == "password"
        assert heard[-5:-2] != b"\x01\0\0", "it asked for the key"


class TestAllowedPublicKeys:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"mysql_public_keys": True})

    def test_a_password_is_sealed_with_one(self, api: TestClient):
        with serving(mysql_sha2) as (port, heard):
            api.post("/database/connections", json=body("mysql", port))
        at = heard.rindex(struct.pack("<I", 256)[:3] + b"\x05") + 4
        sealed = bytes(heard[at : at + 256])
        oaep = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
        salt = b"12345678123456789012"
        opened = bytes(
            one ^ salt[at % len(salt)] for at, one in enumerate(KEY.decrypt(sealed, oaep))
        )
        assert opened == PASSWORD.encode() + b"\0"
        assert PASSWORD.encode() not in heard


class TestOddServers:
    @pytest.mark.parametrize(("kind", "answer"), ODD)
    def test_they_are_422_with_a_sentence(self, api: TestClient, kind: str, answer: Answer):
        with serving(answer) as (port, _):
            told = api.post("/database/connections", json=body(kind, port))
        assert told.status_code == 422, told.text
        assert told.json()["error"]["details"][0]["field"] == "host"
        assert "Traceback" not in told.text
        assert PASSWORD not in told.text


class TestClear:
    def clear(self, text: str, password: str) -> str:
        told = {"host": "db.example.org", "port": 5432, "database": "shop", "username": "ana"}
        return clear_of(text, told | {"password": password})

    @pytest.mark.parametrize(
        ("text", "password", "expected"),
        [
            ("no such user: pa55-word!", "pa55-word!", "no such user: ***"),
            ("xpa55-word!y", "pa55-word!", "x***y"),
            ("got 'abc' instead", "abc", "got '***' instead"),
            ("key=abc; more", "abc", "key=***; more"),
            ("password authentication failed", "password", "password authentication failed"),
            ("a database is away", "a", "a database is away"),
            ('database "shop" does not exist', "shop", 'database "shop" does not exist'),
            ("connection to port 5432 failed", "5432", "connection to port 5432 failed"),
            ("nothing", "", "nothing"),
        ],
    )
    def test_it_is_hidden_and_sentences_stay_whole(self, text: str, password: str, expected: str):
        assert self.clear(text, password) == expected
