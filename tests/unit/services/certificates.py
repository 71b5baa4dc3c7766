"""Certificates for tests, good and bad; made in memory, valid for minutes."""

import datetime as dt
import ipaddress
import ssl
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NOW = dt.datetime.now(dt.UTC)
DAY = dt.timedelta(days=1)


class Pair(NamedTuple):
    """A certificate, its key, and its name as an issuer."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    def key_pem(self) -> bytes:
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def make(
    name: str,
    issuer: Pair | None = None,
    *,
    hosts: tuple[str, ...] = (),
    is_ca: bool = False,
    begins: dt.datetime = NOW - DAY,
    ends: dt.datetime = NOW + DAY,
    purpose: x509.ObjectIdentifier | None = ExtendedKeyUsageOID.SERVER_AUTH,
) -> Pair:
    """A certificate signed by `issuer`, or by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
    )
    if hosts:
        names = [
            x509.IPAddress(ipaddress.ip_address(h)) if h[0].isdigit() else x509.DNSName(h) for h in hosts
        ]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    if purpose is not None and not is_ca:
        builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
    return Pair(builder.sign(issuer.key if issuer else key, hashes.SHA256()), key)


def server_context(folder: Path, *chain: Pair) -> ssl.SSLContext:
    """A server's side of TLS with the first of the chain as its own."""
    file = folder / "server.pem"
    file.write_bytes(b"".join(pair.pem() for pair in chain) + chain[0].key_pem())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
