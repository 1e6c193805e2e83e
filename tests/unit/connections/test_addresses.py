"""Where databases may be: never at metadata or link-local addresses, and only where allowed."""

import socket
from typing import Any

import pytest

from modelwright.connections import driver_process
from modelwright.connections.addresses import resolve_allowed
from modelwright.connections.connection_tester import ConnectionTester
from modelwright.connections.domain import Target
from modelwright.core.config.settings import Settings
from modelwright.jobs.errors import JobRefused

FORBIDDEN = [
    "169.254.169.254",
    "169.254.0.1",
    "0.0.0.0",
    "0.1.2.3",
    "100.100.100.200",
    "168.63.129.16",
    "224.0.0.1",
    "239.1.2.3",
    "255.255.255.255",
    "240.0.0.1",
    "fe80::1",
    "fd00:ec2::254",
    "ff02::1",
    "::",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "::169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "169.254.43518",
]


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Makes every name stand for these addresses."""

    def getaddrinfo(_host: str, port: int, **_more: Any) -> list[Any]:
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, port))
            for one in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


class TestForbidden:
    @pytest.mark.parametrize("address", FORBIDDEN)
    def test_metadata_and_link_local_addresses_are_refused_however_they_are_spelt(
        self, address: str
    ):
        with pytest.raises(JobRefused) as refused:
            resolve_allowed(address, 5432, [])
        assert refused.value.reason["field"] == "host"

    def test_a_name_that_stands_for_one_is_refused(self, monkeypatch: pytest.MonkeyPatch):
        resolving(monkeypatch, "93.184.216.34", "169.254.169.254")
        with pytest.raises(JobRefused, match=r"169\.254\.169\.254"):
            resolve_allowed("harmless.example.org", 5432, [])

    def test_an_allow_list_does_not_open_them(self):
        with pytest.raises(JobRefused):
            resolve_allowed("169.254.169.254", 5432, ["169.254.0.0/16", "169.254.169.254"])

    @pytest.mark.parametrize(
        "address",
        ["127.0.0.1", "10.0.0.5", "192.168.1.1", "93.184.216.34", "::1", "fd12:34::a9fe:a9fe"],
    )
    def test_others_are_taken(self, address: str):
        assert resolve_allowed(address, 5432, []) == [address]


class TestAllowList:
    @pytest.mark.parametrize(
        ("host", "allowed"),
        [
            ("db.example.org", ["db.example.org"]),
            ("DB.example.org", ["other", "db.EXAMPLE.org"]),
            ("db.example.org", ["10.1.0.0/16"]),
            ("db.example.org", ["10.1.2.3"]),
        ],
    )
    def test_names_addresses_and_networks_are_let_through(
        self, monkeypatch: pytest.MonkeyPatch, host: str, allowed: list[str]
    ):
        resolving(monkeypatch, "10.1.2.3")
        assert resolve_allowed(host, 5432, allowed) == ["10.1.2.3"]

    @pytest.mark.parametrize("allowed", [["other.example.org"], ["10.2.0.0/16"], ["example.org"]])
    def test_everything_else_is_refused(self, monkeypatch: pytest.MonkeyPatch, allowed: list[str]):
        resolving(monkeypatch, "10.1.2.3")
        with pytest.raises(JobRefused, match="not among the hosts"):
            resolve_allowed("db.example.org", 5432, allowed)

    def test_loopback_is_refused_where_it_is_not_listed(self):
        with pytest.raises(JobRefused):
            resolve_allowed("127.0.0.1", 5432, ["db.example.org"])

    def test_all_addresses_of_a_host_must_be_listed(self, monkeypatch: pytest.MonkeyPatch):
        resolving(monkeypatch, "10.1.2.3", "10.2.2.3")
        with pytest.raises(JobRefused):
            resolve_allowed("db.example.org", 5432, ["10.1.0.0/16"])


class TestPinning:
    @pytest.mark.parametrize("kind", ["postgresql", "mysql"])
    def test_a_name_is_asked_for_once_and_never_again(
        self, monkeypatch: pytest.MonkeyPatch, settings: Settings, kind: str
    ):
        asked = []
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]

        def getaddrinfo(host: str, *_args: Any, **_more: Any) -> list[Any]:
            asked.append(host)
            assert host in {"rebinding.example.org", "127.0.0.1"}
            return [(socket.AF_INET, 1, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        target = Target(kind, "rebinding.example.org", port, "a", "a", {})
        with pytest.raises(JobRefused, match="refused"):
            driver_process.probe(
                ConnectionTester(settings).payload(target, "a", 5.0), lambda _: None
            )
        assert asked.count("rebinding.example.org") == 1
