"""Opens the socket the server listens on, or says in one sentence why it cannot or must not.

The supervisor opens it before any child starts: a port that is taken, or a key sent in clear text,
ends the command with a sentence and not in a log.
"""

import socket
import ssl

from modelwright.core.channel.peers import split_address
from modelwright.core.config.settings import Settings
from modelwright.core.http.allowed_hosts import is_loopback
from modelwright.core.ids import new_id

LISTEN_BACKLOG = 2048
"""Connections that wait to be accepted; the kernel may allow fewer."""


class CannotListenError(Exception):
    """The data folder, the address or the certificate does not allow serving."""


def listen(settings: Settings, host: str, port: int) -> socket.socket:
    """Opens the socket; refuses an unwritable data folder, a taken address, and unsafe clear text.

    Other machines are served over TLS only, unless a proxy in front is said to end it.
    """
    _try_folder(settings)
    _try_tls(settings, host)
    listener = _open(host, port, "--host or --port")
    _try_metrics(settings)
    return listener


def listen_for_peers(settings: Settings) -> socket.socket | None:
    """Opens the socket that other machines call at; None where they do not."""
    if not settings.cluster_listen:
        return None
    return _open(*split_address(settings.cluster_listen), "MODELWRIGHT_CLUSTER_LISTEN")


def _try_folder(settings: Settings) -> None:
    folder = settings.data_dir
    try:
        settings.make_data_dir()
        trial = folder / f".{new_id('trial')}"
        trial.touch()
        trial.unlink()
    except OSError as error:
        message = f"The data folder {folder} can't be written to: {error.strerror}."
        raise CannotListenError(message) from None


def _open(host: str, port: int, choice: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=LISTEN_BACKLOG)
    except OSError as error:
        reason = str(error.strerror).partition(" (while ")[0]
        message = f"Can't listen on {host}:{port}: {reason}; choose another {choice}."
        raise CannotListenError(message) from None


def _try_metrics(settings: Settings) -> None:
    port = settings.metrics_port
    if port:
        choice = "MODELWRIGHT_METRICS_HOST or MODELWRIGHT_METRICS_PORT"
        _open(settings.metrics_host, port, choice).close()


def _try_tls(settings: Settings, host: str) -> None:
    cert, key = settings.tls_cert, settings.tls_key
    if bool(cert) != bool(key):
        raise CannotListenError("HTTPS needs both --tls-cert and --tls-key.")
    if cert and key:
        try:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(cert, key, _no_passphrase)
        except (OSError, ssl.SSLError, ValueError) as error:
            message = f"The certificate {cert} with the key {key} can't be used: {error}."
            raise CannotListenError(message) from None
    elif not (settings.tls_by_proxy or is_loopback(host)):
        message = (
            f"Listening on {host} in clear would show keys and data to the network: give "
            "--tls-cert and --tls-key, or --behind-proxy where a proxy ends TLS."
        )
        raise CannotListenError(message)


def _no_passphrase() -> str:
    """Is called instead of asking at the terminal, where nobody answers."""
    raise ValueError("the key has a passphrase, serve with one that has none")
