"""The one way of every request: who calls, may they, how often; one transaction around it.

Permission, rate and transaction are not left to handlers: one that forgot them would be open to
everybody.
"""

from asyncio import get_running_loop
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar, cast

from fastapi import Request
from pydantic import BaseModel
from sqlalchemy.orm import Session
from starlette.datastructures import Headers

from modelwright.core.clock import Clock
from modelwright.core.db.database import Database, scope_to
from modelwright.core.errors import (
    ApiError,
    ExpiredKey,
    InsufficientPermissions,
    InvalidKey,
    RevokedKey,
    Unauthorized,
    Unavailable,
)
from modelwright.core.http import cookies, idempotency
from modelwright.core.http.account_threads import AccountThreadLimiter
from modelwright.core.http.context import (
    EVERYTHING,
    Authenticator,
    Caller,
    RequestContext,
    RequiredPermission,
)
from modelwright.core.http.networks import is_within
from modelwright.core.ids import RequestId
from modelwright.core.limits.account_caps import AccountTiers
from modelwright.core.logging import logger

T = TypeVar("T")
ACCOUNT_HEADER = "x-account"
"""The header by which an `admin` key acts in another account."""
AUTH_CACHE_SIZE = 4096
"""How many callers with what they asked for are remembered at most."""


class RequestLimiter(Protocol):
    """Counts requests and failed authentications; `core.rates` implements it."""

    def count(self, request: Request, caller: Caller) -> None:
        """Counts one request of an account; refuses it above the tier's rate."""

    def is_unlimited(self, caller: Caller) -> bool:
        """Returns whether counting this account's requests waits for nothing."""

    def failed(self, request: Request) -> None:
        """Counts a failed authentication; refuses it above the limit for its address."""

    def check_auth_attempts(self, request: Request) -> None:
        """Refuses an address that may not try again yet, whatever it tries."""


class RequestPipeline:
    """Admits requests and carries them out; `note` hears of all, `record` of those that change."""

    def __init__(
        self,
        database: Database,
        authenticator: Authenticator,
        limiter: RequestLimiter,
        services: Mapping[type, object],
        clock: Clock,
        tiers: AccountTiers,
        public_url: str,
        secret: bytes,
        count: Callable[[Caller], None],
        record: Callable[[RequestContext, Request, Any], None],
        make_room: Callable[[], bool],
    ) -> None:
        self.database = database
        self.authenticator = authenticator
        self.limiter = limiter
        self.services = services
        self.clock = clock
        self._tiers = tiers
        self.public_url = public_url.rstrip("/")
        self.secret = secret
        self._count = count
        self.record = record
        self._make_room = make_room
        self._threads = AccountThreadLimiter()
        self._owners: dict[str, str] = {}
        self._cache: dict[tuple[str, ...], tuple[int | None, Caller, Any]] = {}
        self._stamp: int | None = None

    def service(self, kind: type[T]) -> T:
        """Returns the service of a kind."""
        return cast("T", self.services[kind])

    def run(
        self,
        request: Request,
        needs: RequiredPermission,
        carry_out: Callable[[RequestContext], T],
        *,
        writes: bool,
    ) -> T:
        """Authenticates, checks level and rate, then carries out; commits unless it raises.

        A deletion that finds no room is carried out once more where some was laid aside: it is
        what makes room again.
        """

        def run_once() -> T:
            with self.database.transaction(write=writes) as db:
                return carry_out(self.admit(db, request, needs))

        try:
            return run_once()
        except Unavailable:
            if request.method != "DELETE" or not self._make_room():
                raise
        return run_once()

    def execute_idempotent(
        self,
        key: str,
        seen: str,
        carry_out: Callable[[RequestContext], Any],
        renew: Callable[[RequestContext, Any], Any],
    ) -> Callable[[RequestContext], Any]:
        """Wraps an act so that a repetition under the same `Idempotency-Key` is only answered."""

        def act_once(ctx: RequestContext) -> Any:
            now = self.clock.now()
            account = ctx.caller.account_id
            stored = idempotency.recall(ctx.db, account, key, seen, now)
            if stored is not None:
                return renew(ctx, stored)
            answer = carry_out(ctx)
            plain = answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer
            idempotency.remember(ctx.db, account, key, seen, plain, now)
            return answer

        return act_once

    def is_answered(self, ctx: RequestContext, request: Request) -> bool:
        """Tells whether a request repeats one that was answered, so that nothing is done for it."""
        key = request.headers.get(idempotency.HEADER)
        account, now = ctx.caller.account_id, self.clock.now()
        return key is not None and idempotency.is_known(ctx.db, account, key, now)

    def check(self, request: Request, needs: RequiredPermission) -> None:
        """Only authenticates and checks: a bad body is told to admitted callers alone."""
        with self.database.transaction(write=False) as db:
            self.admit(db, request, needs)

    def validate_key_format(self, request: Request) -> None:
        """Refuses a request without a key, and one whose key cannot be one; waits for nothing."""
        self.authenticator.validate_key_format(_extract_api_key(request.headers))

    def admit(self, db: Session, request: Request, needs: RequiredPermission) -> RequestContext:
        """Returns the act of an admitted caller; its transaction sees only the caller's rows."""
        try:
            caller = self.caller(db, request)
        except (InvalidKey, ExpiredKey, RevokedKey):
            self.limiter.failed(request)
            raise
        self._check_rate_and_level(request, caller, needs)
        scope_to(db, caller.account_id)
        return RequestContext(
            db,
            caller,
            RequestId(request.state.request_id),
            self.base_url(request),
            lambda standing: setattr(request.state, "standing", standing),
            getattr(request.state, "is_gone", lambda: False),
        )

    def caller(self, db: Session, request: Request) -> Caller:
        """Returns who calls; refuses those who may not, also when they once might. Counts nothing.

        The transaction sees all accounts afterwards, until it is scoped to one.
        """
        key = _extract_api_key(request.headers)
        caller = self.authenticator.admit(db, key)
        if len(self._owners) >= AUTH_CACHE_SIZE:
            self._owners.clear()
        self._owners[key] = caller.account_id
        self._tiers.record(caller)
        if account := request.headers.get(ACCOUNT_HEADER):
            caller = self.authenticator.in_account(db, caller, account)
        return caller

    def readmit(self, request: Request) -> None:
        """Refuses a caller who was admitted before and may no longer call. Counts nothing."""
        with self.database.transaction(write=False) as db:
            self.caller(db, request)

    async def run_in_account_thread(self, request: Request, work: Callable[[], T]) -> T:
        """Does a request's work in a thread of those that its account may have."""
        return await self._threads.run(self.account_hint(request), work)

    def account_hint(self, request: Request) -> str:
        """Tells whose a request's key was when it was last seen; "" is nobody known.

        Proves nothing, and waits for nothing: good for taking turns only.
        """
        try:
            key = _extract_api_key(request.headers)
        except ApiError:
            key = ""
        return self._owners.get(key, "")

    def known(
        self,
        request: Request,
        needs: RequiredPermission,
        what: tuple[str, ...],
        find: Callable[[RequestContext], T],
    ) -> tuple[Caller, T]:
        """Admits a caller and finds something, from memory while nothing was committed since.

        Exact: a revoked key or a deleted model is seen by the next request of any process.
        `find` must read the database only, and `what` name all that it depends on.
        """
        seen, stamp = _cache_key(request, what), self.database.stamp()
        memory = self._cache_get(seen, stamp)
        if memory is not None:
            self._check_rate_and_level(request, memory[0], needs)
            return memory
        with self.database.transaction(write=False) as db:
            ctx = self.admit(db, request, needs)
            found = find(ctx)
        if len(self._cache) >= AUTH_CACHE_SIZE:
            self._cache.clear()
        self._cache[seen] = (stamp, ctx.caller, found)
        return ctx.caller, found

    def cached_nowait(
        self, request: Request, needs: RequiredPermission, what: tuple[str, ...]
    ) -> tuple[Caller, Any] | None:
        """Admits as `known` does where that waits for nothing, so on the event loop too."""
        memory = self._cache_get(_cache_key(request, what), self.database.stamp())
        if memory is None or not self.limiter.is_unlimited(memory[0]):
            return None
        self._check_rate_and_level(request, memory[0], needs)
        return memory

    def cached_by_key_nowait(
        self,
        key: str,
        needs: RequiredPermission,
        what: tuple[str, ...],
        find: Callable[[Session], Any],
    ) -> tuple[Caller, Any] | None:
        """Finds whom a key belongs to and what they ask for, where remembered; counts nothing.

        Where something was committed since, the database is asked here and now: that takes less
        than a thread would wait for its turn beside others that compute.
        None wherever `known` is to say more. `record_cached` must follow before anything is done.
        """
        seen, stamp = (key, "", *what), self._stamp or self._read_data_version()
        if stamp is None or seen not in self._cache or key.startswith(cookies.TOKEN_PREFIXES):
            return None
        memory = self._cache_get(seen, stamp)
        if memory is None and (stamp := self._read_data_version()):
            self._cache_refresh(seen, find, stamp)
            memory = self._cache_get(seen, stamp)
        if memory is None or not memory[0].may(needs) or memory[0].networks is not None:
            return None
        return memory if self.limiter.is_unlimited(memory[0]) else None

    def record_cached(self, state: dict[str, Any], caller: Caller) -> None:
        """Counts the request of a caller found by `cached_by_key_nowait`."""
        self._count(caller)
        state["caller"] = caller

    def _read_data_version(self) -> int | None:
        """Reads the database's stamp for this turn of the event loop.

        All requests that are handled in it had come before, so it is as new as each of them needs.
        """
        self._stamp = self.database.stamp()
        get_running_loop().call_soon(setattr, self, "_stamp", None)
        return self._stamp

    def _cache_refresh(
        self, seen: tuple[str, ...], find: Callable[[Session], Any], stamp: int
    ) -> None:
        try:
            with self.database.transaction(write=False) as db:
                caller = self.authenticator.admit(db, seen[0])
                scope_to(db, caller.account_id)
                self._cache[seen] = (stamp, caller, find(db))
        except ApiError:
            self._cache.pop(seen, None)

    def _cache_get(self, seen: tuple[str, ...], stamp: int | None) -> tuple[Caller, Any] | None:
        memory = self._cache.get(seen)
        if memory is None or stamp is None or memory[0] != stamp:
            return None
        caller = memory[1]
        is_over = caller.until is not None and caller.until <= self.clock.now()
        return None if is_over else memory[1:]

    def _check_rate_and_level(
        self, request: Request, caller: Caller, needs: RequiredPermission
    ) -> None:
        """Refuses a key from elsewhere, too often, of too low a level, or narrowed too far."""
        address = request.client.host if request.client else ""
        if caller.networks is not None and not is_within(address, caller.networks):
            logger().warning("access.wrong_network", address=address, key_id=caller.key_id)
            message = f"This key may not be used from your address, {address or 'unknown'}."
            raise InsufficientPermissions(message)
        if not hasattr(request.state, "caller"):
            self.limiter.count(request, caller)
            self._count(caller)
        if caller.level < needs.level:
            message = f"This needs a key of level {needs.level.word}; yours is {caller.level.word}."
            raise InsufficientPermissions(message)
        if not caller.has_scope(needs.scope):
            wanted = f"with the scope {needs.scope}; yours has it not"
            if needs.scope == EVERYTHING:
                wanted = "with all scopes; yours is narrowed"
            message = f"This needs a key {wanted}."
            raise InsufficientPermissions(message)
        request.state.caller = caller

    def base_url(self, request: Request) -> str:
        """Returns the address that answers point to, without a trailing slash."""
        return self.public_url or str(request.base_url).rstrip("/")


def _cache_key(request: Request, what: tuple[str, ...]) -> tuple[str, ...]:
    return (_extract_api_key(request.headers), request.headers.get(ACCOUNT_HEADER, ""), *what)


def _extract_api_key(headers: Headers) -> str:
    """Reads the key from either header, else the console's cookie; refuses two that differ."""
    keys = {key.strip() for key in headers.getlist("x-api-key")}
    for bearer in headers.getlist("authorization"):
        scheme, _, token = bearer.partition(" ")
        if bearer and scheme.lower() != "bearer":
            raise InvalidKey("Authorization must be of the form: Bearer <API key>.")
        keys.add(token.strip())
    keys.discard("")
    if len(keys) > 1:
        raise InvalidKey("The key headers carry different keys; send one.")
    presented = keys.pop() if keys else ""
    if presented.startswith(cookies.TOKEN_PREFIXES):
        raise InvalidKey("This is no API key.")
    presented = presented or cookies.guarded_token(headers)
    if not presented:
        raise Unauthorized(
            "No API key was sent; use the header x-api-key or Authorization: Bearer."
        )
    return presented
