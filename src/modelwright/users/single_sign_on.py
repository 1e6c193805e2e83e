"""Signing in to the console by the operator's identity provider, and whose account that opens.

A stranger's account is made only for an e-mail that the provider has checked, in a domain that the
operator named.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.errors import Forbidden, NotFound, Unauthorized
from modelwright.core.ids import new_id
from modelwright.core.logging import logger
from modelwright.users import domain as rules
from modelwright.users import repository
from modelwright.users.console_sessions import SignIn, SignInCandidate
from modelwright.users.oidc_state import OidcState
from modelwright.users.orm import OidcIdentityRecord, UserRecord
from modelwright.users.service import Users

if TYPE_CHECKING:
    from modelwright.users.oidc_provider import OidcProvider

MAX_SUBJECT_CHARACTERS = 255
"""OpenID Connect Core 1.0, section 2."""
CALLBACK = "/console/oidc/callback"


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """What the provider sent the browser back with."""

    code: str
    state: str
    error: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who came back from the provider, with a checked e-mail."""

    issuer: str
    subject: str
    email: str


class SingleSignOn:
    """The verbs of signing in elsewhere; without a provider all refuse."""

    def __init__(
        self,
        users: Users,
        signing_in: SignIn,
        provider: "OidcProvider | None",
        name: str,
        domains: str,
        clock: Clock,
    ) -> None:
        self._clock = clock
        self._users = users
        self._signing_in = signing_in
        self._provider = provider
        self.name = name if provider else None
        self._domains = {domain.strip().lower().lstrip("@") for domain in domains.split(",")} - {""}

    def leave(self, trip: OidcState, base_url: str) -> str:
        """Returns where a browser is sent to sign in."""
        return self._must().address(trip, base_url + CALLBACK)

    def arrive(self, trip: OidcState, answered: ProviderAnswer, base_url: str) -> Arrival:
        """Returns who came back.

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
        if rules.fault_of_spelling(found.email):
            raise Forbidden("Your e-mail has characters that can be written otherwise.")
        if not 0 < len(found.subject) <= MAX_SUBJECT_CHARACTERS:
            raise Forbidden("The sign-in provider does not say who you are.")
        return Arrival(found.issuer, found.subject, email)

    def account(self, db: Session, who: Arrival) -> SignInCandidate:
        """Finds a person's account, or makes one where the e-mail's domain may; refuses others.

        An account belongs to a person at the provider, its subject, from the first time on: the
        e-mail only leads there once, so that whoever gets it later does not get the account.
        """
        bound = repository.identity(db, who.issuer, who.subject)
        if bound is not None:
            return _candidate(repository.get_or_404(db, bound.account_id))
        candidate = self._by_email(db, who)
        db.add(
            OidcIdentityRecord(
                identity_id=new_id("oidc"),
                issuer=who.issuer,
                subject=who.subject,
                account_id=candidate.account_id,
                created_at=self._clock.now(),
            )
        )
        return candidate

    def unbind(self, db: Session, account_id: str) -> None:
        """Lets the next person with an account's e-mail have it, whoever that is."""
        repository.unbind(db, account_id)

    def _by_email(self, db: Session, who: Arrival) -> SignInCandidate:
        email = who.email
        known = self._signing_in.candidate(db, email)
        if known is not None:
            if repository.is_bound(db, known.account_id, who.issuer):
                logger().warning("users.other_subject", account_id=known.account_id)
                message = "belongs to somebody else at the sign-in provider; ask the operator."
                raise Forbidden(f"The account {email} {message}")
            return known
        if email.rpartition("@")[2] not in self._domains:
            raise Forbidden(f"No account has the e-mail {email}; ask the operator for one.")
        made = self._users.create(db, email)
        return SignInCandidate(made.user_id, made.is_active, None, is_new=True)

    def _must(self) -> "OidcProvider":
        if self._provider is None:
            raise NotFound("This server has no sign-in provider.")
        return self._provider


def _candidate(row: UserRecord) -> SignInCandidate:
    return SignInCandidate(row.user_id, row.is_active, row.password_hash)
