"""Counters in Redis, for servers on several machines; while it is away, each counts alone.

Counted on each machine alone, a limit of the contract would be as many times higher as there are
machines.
"""

import threading
from time import monotonic

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as CannotConnect
from redis.exceptions import RedisError
from redis.retry import Retry

from modelwright.core.clock import Clock
from modelwright.core.limits.store import RateLimitStore, WindowStats, window_stats
from modelwright.core.logging import logger

KEY_PREFIX = "modelwright:"
TIMEOUT_SECONDS = 1.0
"""How long a connection or an answer may take."""
RETRY_SECONDS = 2.0
"""How often a Redis that is away is tried again, by one request."""
MICROSECONDS_PER_SECOND = 1_000_000
"""Redis tells its time in microseconds."""
HIT_SCRIPT = """
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local window = tonumber(ARGV[2])
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
while oldest and oldest <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
end
local newest = tonumber(redis.call('LINDEX', KEYS[1], -1))
while newest and newest > now do
  redis.call('RPOP', KEYS[1])
  newest = tonumber(redis.call('LINDEX', KEYS[1], -1))
end
oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
local before = redis.call('LLEN', KEYS[1])
if ARGV[3] == '1' and before < tonumber(ARGV[1]) then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
end
return {before, oldest or now, now}
"""
"""Takes limit, window in microseconds, whether to count, and the time unless it is Redis's own.

A bucket is a list of the moments of its hits, oldest first; all of it happens at once.
"""


class RedisRateLimitStore:
    """Counts in Redis by its clock, so that machines whose clocks differ count alike.

    When Redis cannot be asked, `alone` counts: a limit then holds for each machine by itself.
    """

    def __init__(self, url: str, alone: RateLimitStore, clock: Clock | None = None) -> None:
        client = Redis.from_url(
            url,
            socket_connect_timeout=TIMEOUT_SECONDS,
            socket_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 1, supported_errors=(CannotConnect,)),
        )
        self._script = client.register_script(HIT_SCRIPT)
        self._alone = alone
        self._clock = clock
        self._lock = threading.Lock()
        self._is_away = False
        self._again_at = 0.0

    def hit(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Counts one hit unless the last `seconds` already hold `limit` of them."""
        window = self._ask(bucket, limit, seconds, counts=True)
        return window or self._alone.hit(bucket, limit, seconds)

    def peek(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Tells what a hit would be answered, and counts none."""
        window = self._ask(bucket, limit, seconds, counts=False)
        return window or self._alone.peek(bucket, limit, seconds)

    def probe(self) -> None:
        """Raises `RedisError` unless Redis counts."""
        self._count("probe", 1, 1, counts=True)

    def _ask(self, bucket: str, limit: int, seconds: int, *, counts: bool) -> WindowStats | None:
        if not self._may_ask():
            return None
        try:
            window = self._count(bucket, limit, seconds, counts=counts)
        except RedisError as fault:
            self._note(is_away=True, why=type(fault).__name__)
            return None
        self._note(is_away=False)
        return window

    def _count(self, bucket: str, limit: int, seconds: int, *, counts: bool) -> WindowStats:
        now = (
            ""
            if self._clock is None
            else round(self._clock.now().timestamp() * MICROSECONDS_PER_SECOND)
        )
        args = (limit, seconds * MICROSECONDS_PER_SECOND, int(counts), now)
        before, oldest, at = self._script(keys=(KEY_PREFIX + bucket,), args=args)
        return window_stats(
            limit, before, oldest / MICROSECONDS_PER_SECOND, seconds, at / MICROSECONDS_PER_SECOND
        )

    def _may_ask(self) -> bool:
        with self._lock:
            if self._is_away and monotonic() < self._again_at:
                return False
            self._again_at = monotonic() + RETRY_SECONDS
            return True

    def _note(self, *, is_away: bool, why: str = "") -> None:
        with self._lock:
            changed, self._is_away = is_away != self._is_away, is_away
        if changed and is_away:
            logger().warning("counters.redis_away", error=why)
        elif changed:
            logger().info("counters.redis_back")
