"""Certificates that only those who know the cluster's secret can make, and nobody else's count.

The secret gives the key of a private authority (HKDF, Ed25519). Each process makes a certificate of
its own under it, and trusts that authority alone, for those who call it and those it calls: TLS 1.3
then authenticates both ends, keeps what travels secret and whole, and lets nothing be replayed.
The secret itself never travels. Of several secrets the first one is this process's own and all are
trusted, so that they can be changed while machines run.
"""

import ssl
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

VALID_FROM = datetime(2000, 1, 1, tzinfo=UTC)
"""Before any machine's clock, however wrong."""
VALID_UNTIL = datetime(2999, 1, 1, tzinfo=UTC)
"""Certificates end with their process, and clocks of machines may differ."""
SEED_BYTES = 32
"""Bytes of an Ed25519 private key."""


def contexts(secrets: list[str], name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Makes the contexts of the end that is called and of the end that calls.

    Args:
        secrets: The cluster's secrets, the present one first.
        name: What this machine calls itself in its certificate.

    Returns:
        The server's and the client's context.
    """
    own = _authority_key(secrets[0])
    trusted = b"".join(_authority(_authority_key(one)) for one in secrets).decode()
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False  # who holds the secret is a machine of ours, wherever it is
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.pem"
        path.touch(mode=0o600)
        path.write_bytes(_own(own, name))
        for context in (server, client):
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata=trusted)
            context.load_cert_chain(path)
    return server, client


def _authority_key(secret: str) -> Ed25519PrivateKey:
    derived = HKDF(SHA256(), SEED_BYTES, salt=None, info=b"modelwright cluster authority")
    return Ed25519PrivateKey.from_private_bytes(derived.derive(secret.encode()))


def _authority_name(key: Ed25519PrivateKey) -> x509.Name:
    # Told apart by their keys: OpenSSL looks an authority up by its name.
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return _name(f"Modelwright cluster {public.hex()[:32]}")


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, key: Ed25519PrivateKey, issuer: x509.Name
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(VALID_FROM)
        .not_valid_after(VALID_UNTIL)
    )


def _authority(key: Ed25519PrivateKey) -> bytes:
    name = _authority_name(key)
    builder = _builder(name, key, name).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    return builder.sign(key, None).public_bytes(Encoding.PEM)


def _own(authority: Ed25519PrivateKey, name: str) -> bytes:
    key = Ed25519PrivateKey.generate()
    builder = _builder(_name(name[:64]), key, _authority_name(authority)).add_extension(
        x509.BasicConstraints(ca=False, path_length=None), critical=True
    )
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return written + builder.sign(authority, None).public_bytes(Encoding.PEM)
