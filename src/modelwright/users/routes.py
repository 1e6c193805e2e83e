"""`GET /auth/user`, and where somebody signs in to the console and out, or changes the password."""

from contextlib import suppress

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from modelwright.api_keys.service import Keys
from modelwright.audit.service import Audit, Origin
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import Conflict, Detail, Forbidden, Unauthorized, ValidationFailed
from modelwright.core.http import cookies
from modelwright.core.http.context import (
    AdminContext,
    Caller,
    ReadContext,
    RequestContext,
    WriteContext,
)
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.ids import RequestId
from modelwright.usage.service import Usage
from modelwright.users.console_sessions import Browser, ConsoleSessionInfo, SignIn, SignInCandidate
from modelwright.users.errors import AccountDeactivated
from modelwright.users.schemas import (
    Account,
    AccountList,
    BeginSecondFactor,
    ConsoleSession,
    ConsoleSessions,
    Credentials,
    EndedConsoleSession,
    NewPassword,
    OpenConsoleSession,
    SecondFactor,
    SecondFactorBegun,
    SecondFactorCode,
    SecondFactorConfirmed,
    SignedOut,
    User,
)
from modelwright.users.second_factor import WRONG, SecondFactors
from modelwright.users.service import Users

router = ApiRouter("users")
PATH = "/console/session"
SIGN_IN_THREADS = CapacityLimiter(16)
"""Threads of those who sign in: strangers who wait for that take none from other requests."""
OWN_SITE = ("same-origin", "none")
"""What browsers say of a page's own requests (Fetch Metadata); other clients say nothing."""


@router.get_("/auth/user")
def me(ctx: ReadContext, users: Service[Users], keys: Service[Keys], usage: Service[Usage]) -> User:
    """Returns the calling account."""
    found = users.find(ctx.db, ctx.caller.account_id)
    return User.showing(
        found,
        consumption=usage.consumption(ctx.db, found.user_id),
        has_api_key=keys.has_usable(ctx.db, found.user_id),
        permission_level=ctx.caller.level.word,
    )


@router.get_("/users")
def list_(
    ctx: AdminContext, users: Service[Users], usage: Service[Usage], page: Paged
) -> AccountList:
    """Lists the accounts with their tiers and what they used, newest first; for `admin` keys."""
    found = users.list_(ctx.db)[::-1]
    shown = found[page.offset : page.offset + page.limit]
    used = usage.consumptions(ctx.db, [one.user_id for one in shown])
    return AccountList(
        users=[Account.showing(one, consumption=used[one.user_id]) for one in shown],
        pagination=Pagination.of(page, len(found)),
    )


@router.get_("/auth/second-factor")
def second_factor(ctx: ReadContext, factors: Service[SecondFactors]) -> SecondFactor:
    """Returns whether signing in to the console needs a code beside the password."""
    return SecondFactor.model_validate(factors.read(ctx.db, ctx.caller.account_id))


@router.post_("/auth/second-factor", remembers=False)
def begin_second_factor(
    ctx: WriteContext,
    users: Service[Users],
    signing_in: Service[SignIn],
    factors: Service[SecondFactors],
    body: BeginSecondFactor,
) -> SecondFactorBegun:
    """Begins to set up a second factor; answers the secret for an authenticator app."""
    account = users.find(ctx.db, ctx.caller.account_id)
    candidate = signing_in.candidate(ctx.db, account.email)
    if candidate is None or candidate.password_hash is None:
        raise Conflict("This account has no password, to which a second factor could be added.")
    if not signing_in.fits(candidate, body.password):
        raise ValidationFailed.of("password", "is wrong.")
    return SecondFactorBegun.model_validate(factors.begin(ctx.db, account.user_id, account.email))


@router.post_("/auth/second-factor/confirm", remembers=False)
def confirm_second_factor(
    ctx: WriteContext, factors: Service[SecondFactors], body: SecondFactorCode
) -> SecondFactorConfirmed:
    """Turns the second factor on, given a code; answers recovery codes, shown only now."""
    account_id = ctx.caller.account_id
    codes = factors.confirm(ctx.db, account_id, body.code)
    return SecondFactorConfirmed(user_id=account_id, recovery_codes=codes)


@router.post_("/auth/second-factor/disable", remembers=False)
def disable_second_factor(
    ctx: WriteContext, factors: Service[SecondFactors], body: SecondFactorCode
) -> SecondFactor:
    """Turns the second factor off, given one of its codes or a recovery code."""
    factors.disable(ctx.db, ctx.caller.account_id, body.code)
    return SecondFactor.model_validate(factors.read(ctx.db, ctx.caller.account_id))


@router.get_("/auth/sessions")
def sessions(ctx: ReadContext, signing_in: Service[SignIn]) -> ConsoleSessions:
    """Lists who is signed in to the account's console, newest first."""
    own = ctx.caller.console_session_id
    return ConsoleSessions(
        sessions=[
            OpenConsoleSession.showing(one, is_current=one.console_session_id == own)
            for one in signing_in.list_(ctx.db)
        ]
    )


@router.delete_("/auth/sessions/{console_session_id}")
def end_session(
    ctx: WriteContext, signing_in: Service[SignIn], console_session_id: str
) -> EndedConsoleSession:
    """Ends one of the account's sessions of the console."""
    ended_at = signing_in.end(ctx.db, console_session_id)
    return EndedConsoleSession(console_session_id=console_session_id, ended_at=ended_at)


@router.post(PATH, operation_id="users.sign_in", response_model=ConsoleSession)
async def sign_in(request: Request, body: Credentials) -> Response:
    """Signs in to the console: answers with a cookie and the token its calls must carry."""
    return await run_sync(_sign_in, request, body, limiter=SIGN_IN_THREADS)


@router.get(PATH, operation_id="users.session", response_model=ConsoleSession)
async def session(request: Request) -> Response:
    """Returns the session of the cookie."""
    return await run_in_threadpool(_session, request)


@router.delete(PATH, operation_id="users.sign_out", response_model=SignedOut)
async def sign_out(request: Request) -> Response:
    """Signs out of the console."""
    return await run_in_threadpool(_sign_out, request)


@router.patch(PATH, operation_id="users.change_password", response_model=ConsoleSession)
async def change_password(request: Request, body: NewPassword) -> Response:
    """Changes the caller's password; ends all sessions of the account and begins a new one."""
    return await run_in_threadpool(_change_password, request, body)


def _sign_in(request: Request, body: Credentials) -> Response:
    pipeline, signing_in = parts(request)
    if request.headers.get("sec-fetch-site", OWN_SITE[0]) not in OWN_SITE:
        raise Forbidden("Another site sent this; sign in on a page of the console.")
    pipeline.limiter.check_auth_attempts(request)
    with pipeline.database.transaction(ALL_ACCOUNTS, write=False) as db:
        candidate = signing_in.candidate(db, body.email)
    fits = _fits(request, candidate, body.password)
    if candidate is None or not fits:
        record_failure(request, candidate, PATH)
        raise Unauthorized("The e-mail or the password is wrong.")
    _check_second_factor(request, candidate, body.code or "")
    with pipeline.database.transaction(ALL_ACCOUNTS) as db:
        facts, token = begin_session(request, db, candidate, PATH)
    return _signed_in(request, facts, token)


def _check_second_factor(request: Request, candidate: SignInCandidate, code: str) -> None:
    """Refuses a missing or wrong code where the account has a second factor."""
    pipeline, _ = parts(request)
    factors = pipeline.service(SecondFactors)
    with pipeline.database.transaction(ALL_ACCOUNTS) as db:
        if not factors.is_on(db, candidate.account_id):
            return
        is_right = bool(code) and factors.check(db, candidate.account_id, code)
    if not code:
        needed = Detail("code", "is required: this account has a second factor.")
        raise Unauthorized("Send a code of your second factor too.", details=(needed,))
    if not is_right:
        record_failure(request, candidate, PATH)
        pipeline.limiter.failed(request)
        raise Unauthorized("The code is wrong or was used.", details=(Detail("code", WRONG),))


def _change_password(request: Request, body: NewPassword) -> Response:
    pipeline, signing_in = parts(request)
    known = _token(cookies.guarded_token(request.headers))
    pipeline.limiter.check_auth_attempts(request)
    with pipeline.database.transaction(ALL_ACCOUNTS, write=False) as db:
        candidate = signing_in.candidate(db, signing_in.read(db, known).caller.email)
    if candidate is None or candidate.password_hash is None:
        message = "This account has no password yet; the operator gives it one with"
        raise Conflict(f"{message} modelwright users set-password.")
    if not _fits(request, candidate, body.current_password):
        raise ValidationFailed.of("current_password", "is wrong.")
    hashed = signing_in.hashed(body.password)
    with pipeline.database.transaction(ALL_ACCOUNTS) as db:
        signing_in.take_hash(db, candidate.account_id, hashed)
        facts, token = begin_session(request, db, candidate, PATH)
        _record(request, db, facts.caller, "users.change_password", PATH)
    return _signed_in(request, facts, token)


def _fits(request: Request, candidate: SignInCandidate | None, password: str) -> bool:
    pipeline, signing_in = parts(request)
    fits = signing_in.fits(candidate, password)
    pipeline.limiter.check_auth_attempts(
        request
    )  # again: the tries that waited with this one count by now
    if not fits:
        pipeline.limiter.failed(request)
    return fits


def _signed_in(request: Request, facts: ConsoleSessionInfo, token: str) -> Response:
    answer = JSONResponse(ConsoleSession.of(facts, token).model_dump(mode="json"))
    give_cookie(answer, token, parts(request)[0].base_url(request))
    return answer


def begin_session(
    request: Request, db: Session, candidate: SignInCandidate, path: str
) -> tuple[ConsoleSessionInfo, str]:
    """Begins a session for somebody recognised at a path; returns it with its token.

    The session that the browser had before ends: nobody goes on in one that somebody else began.
    """
    pipeline, signing_in = parts(request)
    signing_in.close(db, cookies.token_in(request.headers))
    browser = Browser(
        request.client.host if request.client else "",
        request.headers.get("user-agent", ""),
        cookies.is_secure_at(pipeline.base_url(request)),
    )
    token = signing_in.open(db, candidate, browser)
    db.flush()
    facts = signing_in.read(db, token)
    if candidate.is_new:
        _record(request, db, facts.caller, "users.create", path)
    _record(request, db, facts.caller, "users.sign_in", path)
    return facts, token


def _record(request: Request, db: Session, caller: Caller, operation: str, path: str) -> None:
    pipeline, _ = parts(request)
    ctx = RequestContext(
        db, caller, RequestId(request.state.request_id), pipeline.base_url(request)
    )
    audit = pipeline.service(Audit)
    address = request.client.host if request.client else ""
    audit.record(ctx, Origin(operation, path, address), {"user_id": caller.account_id})


def record_failure(request: Request, candidate: SignInCandidate | None, path: str) -> None:
    """Records that somebody failed to sign in to an account; no account, nothing to record."""
    if candidate is None:
        return
    pipeline, _ = parts(request)
    audit = pipeline.service(Audit)
    address = request.client.host if request.client else ""
    origin = Origin("users.sign_in_failed", path, address)
    with pipeline.database.transaction(ALL_ACCOUNTS) as db:
        audit.record_failure(db, origin, candidate.account_id, request.state.request_id)


def give_cookie(answer: Response, token: str, base_url: str) -> None:
    """Gives a browser the cookie of its session."""
    cookies.give(answer, cookies.COOKIE_NAME, token, base_url, "strict")


def _session(request: Request) -> Response:
    pipeline, signing_in = parts(request)
    token = _token(cookies.token_in(request.headers))
    with pipeline.database.transaction(ALL_ACCOUNTS, write=False) as db:
        facts = signing_in.read(db, token)
    return JSONResponse(ConsoleSession.of(facts, token).model_dump(mode="json"))


def _token(token: str) -> str:
    if not token:
        raise Unauthorized("Nobody is signed in here.")
    return token


def _sign_out(request: Request) -> Response:
    pipeline, signing_in = parts(request)
    token = cookies.guarded_token(request.headers)
    with pipeline.database.transaction(ALL_ACCOUNTS) as db:
        with suppress(Unauthorized, AccountDeactivated):
            _record(request, db, signing_in.read(db, token).caller, "users.sign_out", PATH)
        signing_in.close(db, token)
    answer = JSONResponse(SignedOut().model_dump())
    base_url = pipeline.base_url(request)
    answer.delete_cookie(
        cookies.name_at(cookies.COOKIE_NAME, base_url),
        path="/",
        httponly=True,
        samesite="strict",
        secure=cookies.is_secure_at(base_url),
    )
    return answer


def parts(request: Request) -> tuple[RequestPipeline, SignIn]:
    """Returns the pipeline and the service of sessions."""
    pipeline: RequestPipeline = request.app.state.pipeline
    return pipeline, pipeline.service(SignIn)
