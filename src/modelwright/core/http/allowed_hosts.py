"""Which names requests may call this server by, where no public address is set.

Answers then point to the name that a request came with: addresses of files, redirects, the way
back from the sign-in provider. Whoever can write a `Host` header would have them point elsewhere.
"""

import ipaddress
import re

from starlette.types import Scope

from modelwright.core.errors import InvalidRequest

ANY = "*"
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
MAX_KNOWN = 1024
"""Headers that are remembered as allowed; there are few, and the ports after them."""
MAX_SHOWN_CHARACTERS = 100
"""Characters of a host that a refusal quotes."""


class HostNotAllowed(InvalidRequest):
    """A request calls the server by a name that is not known to be its own."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"Host: this server is not known to be {host[:MAX_SHOWN_CHARACTERS]!r}; the operator"
            " can add the name to MODELWRIGHT_ALLOWED_HOSTS, or set MODELWRIGHT_PUBLIC_URL."
        )


class AllowedHosts:
    """Knows the names: of this machine itself, the address a connection came in at, and listed."""

    def __init__(self, listed: list[str], *, has_public_url: bool) -> None:
        self._names = {_plain(name) for name in listed}
        # With a public address no answer points to what a request says, unless names are listed.
        self._takes_any = ANY in self._names or (has_public_url and not listed)
        self._known: set[tuple[bytes, str]] = set()

    def check(self, scope: Scope) -> None:
        """Refuses a request whose `Host` is not one of them, is none at all, or comes twice."""
        if self._takes_any:
            return
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if not hosts:  # HTTP/1.0; answers point to the address that the connection came in at
            return
        local = (scope.get("server") or ("", 0))[0] or ""
        if len(hosts) > 1:
            raise HostNotAllowed(b", ".join(hosts).decode("latin-1"))
        if (hosts[0], local) in self._known:
            return
        if not self._is_allowed(hosts[0].decode("latin-1"), local):
            raise HostNotAllowed(hosts[0].decode("latin-1"))
        if len(self._known) < MAX_KNOWN:
            self._known.add((hosts[0], local))

    def _is_allowed(self, host: str, local: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = _plain(found[1])
        is_own = name.endswith(".localhost") or is_loopback(name)
        return name in self._names or is_own or name == _plain(local)


def is_loopback(host: str) -> bool:
    """Returns whether an address is only reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _plain(host: str) -> str:
    """Spells a name, or an address of any notation, in the one way that it is compared in."""
    name = host.lower().strip("[]").rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name
    return str(getattr(address, "ipv4_mapped", None) or address)
