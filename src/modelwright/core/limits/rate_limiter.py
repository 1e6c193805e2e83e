"""The contract's rates: requests of an account, failed sign-ins of an address.

How often an account may ask is a term of the contract; where it is counted, in memory or in Redis,
is left to a store behind it.
"""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from math import ceil

from fastapi import Request

from modelwright.core.errors import RateLimited, TooManyAuthFailures
from modelwright.core.http.context import Caller, Tier
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.limits.store import RateLimitStore, WindowStats
from modelwright.core.logging import logger

CONSOLE_REQUESTS_PER_MINUTE = 600
"""Requests of the console: a page asks for several things at once, and follows what is running."""

IPV6_HOST_BITS = 64
"""Low bits of an IPv6 address, which its owner chooses."""


class RateLimiter:
    """The contract's rates for requests and for failed authentications."""

    def __init__(self, counters: RateLimitStore, enterprise: int, limits: Limits = LIMITS) -> None:
        self._counters = counters
        self._limits = limits
        self._per_minute = {
            Tier.BASIC: limits.requests_per_minute_basic,
            Tier.PRO: limits.requests_per_minute_pro,
            Tier.ENTERPRISE: enterprise,
        }

    def count(self, request: Request, caller: Caller) -> None:
        """Counts one request of an account, the console's apart; refuses it above the rate."""
        limit, bucket = self._per_minute[caller.tier], "requests"
        if not limit:
            return
        if caller.key_id is None:
            limit, bucket = max(limit, CONSOLE_REQUESTS_PER_MINUTE), "console"
        standing = self._counters.hit(f"{bucket}:{caller.account_id}", limit, 60)
        request.state.standing = standing
        if not standing.allowed:
            message = f"More than {limit} requests in a minute; wait {standing.retry_after} s."
            raise RateLimited(message, retry_after=standing.retry_after)

    def is_unlimited(self, caller: Caller) -> bool:
        """Returns whether this account has no rate, so that counting waits for no file."""
        return not self._per_minute[caller.tier]

    def failed(self, request: Request) -> None:
        """Counts a failed authentication; refuses it above the limit for its address."""
        address = request.client.host if request.client else "unknown"
        logger().warning("access.failed", address=address, path=request.url.path)
        self._bar(request, self._counters.hit)

    def check_auth_attempts(self, request: Request) -> None:
        """Refuses an address that may not try again yet, whatever it tries."""
        self._bar(request, self._counters.peek)

    def _bar(self, request: Request, ask: Callable[[str, int, int], WindowStats]) -> None:
        minutes = self._limits.failed_authentication_minutes
        limit = self._limits.failed_authentications
        address = _client_network(request.client.host) if request.client else "unknown"
        standing = ask(f"failures:{address}", limit, minutes * 60)
        if not standing.allowed:
            wait = ceil(standing.retry_after / 60)
            message = f"More than {limit} failed attempts from your address; wait {wait} min."
            raise TooManyAuthFailures(message, retry_after=standing.retry_after)


def _client_network(address: str) -> str:
    """Names whom an address belongs to: of IPv6, one subscriber has a whole network (RFC 6177)."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(IPv6Address(int(known) >> IPV6_HOST_BITS << IPV6_HOST_BITS))
    return address
