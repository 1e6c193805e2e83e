"""Signing in to the console by the operator's identity provider, and whose account that opens."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from modelwright.core.errors import Forbidden, NotFound, Unauthorized
from modelwright.users import domain as rules
from modelwright.users.console_sessions import Candidate, SignIn
from modelwright.users.oidc_state import OidcState
from modelwright.users.service import Users

if TYPE_CHECKING:
    from modelwright.users.oidc_provider import OidcProvider

CALLBACK = "/console/oidc/callback"


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """What the provider sent the browser back with."""

    code: str
    state: str
    error: str


class SingleSignOn:
    """The verbs of signing in elsewhere; without a provider all refuse."""

    def __init__(
        self,
        users: Users,
        signing_in: SignIn,
        provider: "OidcProvider | None",
        name: str,
        domains: str,
    ) -> None:
        self._users = users
        self._signing_in = signing_in
        self._provider = provider
        self.name = name if provider else None
        self._domains = {domain.strip().lower().lstrip("@") for domain in domains.split(",")} - {""}

    def leave(self, trip: OidcState, base_url: str) -> str:
        """Returns where a browser is sent to sign in."""
        return self._must().address(trip, base_url + CALLBACK)

    def arrive(self, trip: OidcState, answered: ProviderAnswer, base_url: str) -> str:
        """Returns the e-mail of whoever came back.

        Refuses who did not leave from this browser, and whom the provider did not sign in or
        knows no checked e-mail of.
        """
        provider = self._must()
        if not trip.is_of(answered.state):
            raise Unauthorized("This sign-in did not begin in this browser, or too long ago.")
        if answered.error or not answered.code:
            raise Unauthorized("The sign-in provider did not sign you in.")
        found = provider.identify(answered.code, trip, base_url + CALLBACK)
        email = rules.normal_email(found.email)
        if email is None or not found.is_verified:
            raise Forbidden("The sign-in provider has not verified your e-mail.")
        return email

    def account(self, db: Session, email: str) -> Candidate:
        """Finds an e-mail's account, or makes one where its domain may; refuses others."""
        known = self._signing_in.candidate(db, email)
        if known is not None:
            return known
        if email.rpartition("@")[2] not in self._domains:
            raise Forbidden(f"No account has the e-mail {email}; ask the operator for one.")
        made = self._users.create(db, email)
        return Candidate(made.user_id, made.is_active, None, is_new=True)

    def _must(self) -> "OidcProvider":
        if self._provider is None:
            raise NotFound("This server has no sign-in provider.")
        return self._provider
