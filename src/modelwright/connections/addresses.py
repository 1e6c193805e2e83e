"""Which addresses a database may have, settled once: the connection then goes to just those.

Names are resolved here and never again, so that a name that changes its mind gains nothing.
"""

import ipaddress
import socket
from collections.abc import Sequence

from modelwright.jobs.errors import JobRefused

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
MAX_ADDRESSES = 4
"""Addresses of a host name that are tried, one after the other."""
_FORBIDDEN_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",
            "169.254.0.0/16",
            "100.100.100.200/32",
            "168.63.129.16/32",
            "192.0.0.192/32",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "::/128",
            "fe80::/10",
            "fec0::/10",
            "ff00::/8",
            "fd00:ec2::/32",
            "fd20:ce::/32",
        ),
    )
)
"""Link-local, multicast and reserved ones, and where clouds hand out their machines' secrets."""
_EMBEDDING_NETWORKS = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")))


def resolve_allowed(host: str, port: int, allowed: Sequence[str]) -> list[str]:
    """Returns the addresses of a host, in order of preference, at most four.

    Refuses a host that has none, one that is not on the allow-list (names, addresses, networks;
    empty: any), and one of which any address is link-local, multicast or a cloud's metadata.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it is no host name"
        raise _refused(f"{host} has no address: {why}.") from None
    addresses = list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))
    for text in addresses:
        address = ipaddress.ip_address(text)
        if any(
            one in network
            for one in _embedded_addresses(address)
            for network in _FORBIDDEN_NETWORKS
        ):
            raise _refused(f"{host} is at {text}, where databases are never reached.")
        if allowed and not _is_listed(host, address, allowed):
            raise _refused(f"{host} is not among the hosts that the operator allows.")
    return addresses[:MAX_ADDRESSES]


def _embedded_addresses(address: Address) -> list[Address]:
    """Returns an address with the IPv4 addresses that it stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    faces: list[Address] = [address]
    inner = (address.ipv4_mapped, address.sixtofour, *(address.teredo or ()))
    faces += [one for one in inner if one is not None]
    if address != ipaddress.IPv6Address("::1") and any(
        address in net for net in _EMBEDDING_NETWORKS
    ):
        faces.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return faces


def _is_listed(host: str, address: Address, allowed: Sequence[str]) -> bool:
    for entry in allowed:
        try:
            network = ipaddress.ip_network(entry, strict=False)
        except ValueError:
            if entry.lower().rstrip(".") == host.lower().rstrip("."):
                return True
            continue
        if any(one in network for one in _embedded_addresses(address)):
            return True
    return False


def _refused(message: str) -> JobRefused:
    return JobRefused({"message": message, "field": "host", "stage": "connect"})
