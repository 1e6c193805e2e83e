"""`/console/oidc` and its callback: where a browser leaves to sign in by OpenID Connect, and lands.

People see these answers, so refusals are pages to those who ask for pages.
"""

from collections.abc import Callable
from html import escape
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import ApiError, Unauthorized
from modelwright.core.http import cookies
from modelwright.core.http.exception_handlers import handle_api_error
from modelwright.core.http.middleware import CONTENT_SECURITY_POLICY
from modelwright.core.http.routing import ApiRouter
from modelwright.users.oidc_state import HOME_PAGE, OidcState
from modelwright.users.routes import begin_session, give_cookie, parts
from modelwright.users.schemas import Ways
from modelwright.users.single_sign_on import CALLBACK, ProviderAnswer, SingleSignOn

router = ApiRouter("users")
START = "/console/oidc"
STATE_COOKIE = "modelwright_trip"
STATE_SECONDS = 600
"""How long somebody may take to sign in at the provider."""
SEE_OTHER = 303
"""HTTP status of a redirect that a GET follows."""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Modelwright</title>
<body style="font: 1rem/1.6 system-ui; max-width: 40rem; margin: 15vh auto; padding: 0 1rem">
<h1>You are not signed in</h1><p>{message}</p><p><a href="{home}">Back to signing in</a></p>
</body></html>"""
MOVED: dict[int | str, dict[str, Any]] = {SEE_OTHER: {"description": "Leads the browser on."}}
MORE: dict[str, Any] = {
    "status_code": SEE_OTHER,
    "response_class": RedirectResponse,
    "responses": MOVED,
}


@router.get("/console/ways", operation_id="users.ways", response_model=Ways)
async def ways(request: Request) -> Ways:
    """Returns the ways to sign in to the console."""
    return Ways(single_sign_on=_sso(request).name)


@router.get(START, operation_id="users.leave", **MORE)
async def leave(
    request: Request,
    back_to: Annotated[str, Query(alias="next", max_length=2000)] = HOME_PAGE,
) -> Response:
    """Sends a browser to the OpenID Connect provider; `next` is the console's page to return to."""
    return await run_in_threadpool(_shown, request, lambda: _leave(request, back_to))


@router.get(CALLBACK, operation_id="users.arrive", **MORE)
async def arrive(request: Request, code: str = "", state: str = "", error: str = "") -> Response:
    """Signs a browser in that returns from the provider, with the same cookie as a password."""
    answered = ProviderAnswer(code, state, error)
    return await run_in_threadpool(_shown, request, lambda: _arrive(request, answered))


def _leave(request: Request, back_to: str) -> Response:
    pipeline, _ = parts(request)
    trip, base_url = OidcState.begin(back_to), pipeline.base_url(request)
    answer = RedirectResponse(_sso(request).leave(trip, base_url), SEE_OTHER)
    _set_state_cookie(answer, trip.cookie, STATE_SECONDS, base_url)
    return answer


def _arrive(request: Request, answered: ProviderAnswer) -> Response:
    pipeline, _ = parts(request)
    sso, base_url = _sso(request), pipeline.base_url(request)
    trip = OidcState.read(
        cookies.value_of(request.headers, cookies.name_at(STATE_COOKIE, base_url))
    )
    pipeline.limiter.check_auth_attempts(request)
    try:
        who = sso.arrive(trip, answered, base_url)
    except Unauthorized:
        pipeline.limiter.failed(request)
        raise
    with pipeline.database.transaction(ALL_ACCOUNTS) as db:
        candidate = sso.account(db, who)
        _, token = begin_session(request, db, candidate, CALLBACK)
    answer = RedirectResponse(base_url + trip.back_to, SEE_OTHER)
    give_cookie(answer, token, base_url)
    return answer


def _shown(request: Request, carry_out: Callable[[], Response]) -> Response:
    """Carries out a browser's visit; each try ends with its way back."""
    base_url = parts(request)[0].base_url(request)
    try:
        answer = carry_out()
    except ApiError as refusal:
        answer = handle_api_error(request, refusal)
        if "text/html" in request.headers.get("accept", ""):
            page = PAGE.format(message=escape(refusal.message), home=escape(base_url + HOME_PAGE))
            kept = {"Retry-After"} & set(answer.headers)
            headers = {name: answer.headers[name] for name in kept}
            headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
            answer = HTMLResponse(page, answer.status_code, headers)
    if request.url.path == CALLBACK:
        _set_state_cookie(answer, "", 0, base_url)
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


def _set_state_cookie(answer: Response, value: str, seconds: int, base_url: str) -> None:
    # Lax, since the browser returns from another site; strict would leave it at home.
    cookies.give(answer, STATE_COOKIE, value, base_url, "lax", seconds)


def _sso(request: Request) -> SingleSignOn:
    return parts(request)[0].service(SingleSignOn)
