"""Networks that a key may come from, in CIDR notation."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network


def fault_of_network(text: str) -> str | None:
    """Says what is wrong with a network; None when nothing is."""
    try:
        ip_network(text)
    except ValueError:
        return "must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32"
    return None


def is_within(address: str, networks: Iterable[str]) -> bool:
    """Returns whether an address lies in one of the networks; what is no address lies in none."""
    known = _address(address)
    return known is not None and any(known in ip_network(one) for one in networks)


def are_within(inner: Iterable[str], outer: Iterable[str]) -> bool:
    """Returns whether each of the inner networks lies wholly in one of the outer ones."""
    around = [ip_network(one) for one in outer]
    return all(
        any(
            one.version == other.version and one.subnet_of(other)  # type: ignore[arg-type]
            for other in around
        )
        for one in map(ip_network, inner)
    )


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        known = ip_address(text)
    except ValueError:
        return None
    mapped = known.ipv4_mapped if isinstance(known, IPv6Address) else None
    return mapped or known
