"""Sends plain-text mail over SMTP, behind a port with an in-memory twin."""

import smtplib
import ssl
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from enum import StrEnum
from typing import Protocol

TIMEOUT_SECONDS = 20.0
"""How long the mail server may take for each answer."""


class MailFailed(Exception):
    """The mail could not be handed over."""


class Security(StrEnum):
    """How the connection to the mail server is protected."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


class Mail(Protocol):
    """Sends mail."""

    def send(self, to: str, subject: str, text: str) -> None:
        """Hands one mail over; refuses with `MailFailed`."""


@dataclass(frozen=True, slots=True)
class SmtpMail:
    """Mail through one SMTP server; with a user it signs in."""

    host: str
    port: int
    security: Security
    sender: str
    user: str = ""
    password: str = ""

    def send(self, to: str, subject: str, text: str) -> None:
        """Hands one mail over; refuses with `MailFailed`."""
        message = EmailMessage()
        try:
            message["From"], message["To"] = self.sender, to
            message["Subject"] = " ".join(subject.split())
            message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain="modelwright")
            message.set_content(text)
            with self._connection() as server:
                if self.security is Security.STARTTLS:
                    server.starttls(context=ssl.create_default_context())
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(message)
                with suppress(smtplib.SMTPException):
                    server.quit()
        except (OSError, smtplib.SMTPException, ValueError) as fault:
            raise MailFailed(f"The mail server {self.host}:{self.port} refused: {fault}") from fault

    def _connection(self) -> smtplib.SMTP:
        if self.security is Security.TLS:
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT_SECONDS, context=context)
        return smtplib.SMTP(self.host, self.port, timeout=TIMEOUT_SECONDS)
