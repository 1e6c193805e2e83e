"""What an account's e-mail and names may be."""

import re
import unicodedata
from dataclasses import dataclass

MAX_EMAIL_CHARACTERS = 254
"""Characters of an address (RFC 5321)."""
INITIAL_CREDITS = 1000
"""Credits that a new account has."""
_EMAIL = re.compile(r"[^@\s\x00-\x1f\ud800-\udfff]+@[^@\s\x00-\x1f\ud800-\udfff]+")


def normal_email(text: str) -> str | None:
    """Returns an e-mail in the form it is compared in; None when it is not one."""
    email = text.strip().lower()
    return email if len(email) <= MAX_EMAIL_CHARACTERS and _EMAIL.fullmatch(email) else None


def fault_of_spelling(email: str) -> str:
    """Says why an e-mail, as it was told, might be taken for another; empty when it can't be.

    What compatibility forms (NFKC) or case folding change beyond ASCII looks like another address,
    and is one to some mail servers and providers.
    """
    plain = re.sub("[A-Z]", lambda letter: letter[0].lower(), email.strip())
    if unicodedata.normalize("NFKC", plain).casefold() == plain:
        return ""
    return "has characters that can be written otherwise; write it in plain letters."


def user_name_of(email: str) -> str:
    """Makes a user name from an e-mail."""
    return email.split("@", 1)[0]


MIN_PASSWORD_CHARACTERS = 10
"""Characters of a password at the least."""
MAX_PASSWORD_CHARACTERS = 1000
"""Characters of a password at the most, as hashing costs with them."""


def fault_of_password(password: str) -> str:
    """Says what is wrong with a new password; empty when nothing is."""
    if len(password) < MIN_PASSWORD_CHARACTERS:
        return f"must have at least {MIN_PASSWORD_CHARACTERS} characters."
    if len(password) > MAX_PASSWORD_CHARACTERS:
        return f"must have at most {MAX_PASSWORD_CHARACTERS} characters."
    return ""


@dataclass(frozen=True, slots=True)
class AccountStopped:
    """Announced of a deactivated account, once and again: who holds something of it lets go."""

    account_id: str
