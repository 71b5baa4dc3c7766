"""Whose certificates are believed: the system's roots and one extra from the settings. No way around it."""

from __future__ import annotations

import hashlib
import ssl
import sys
from contextlib import suppress
from pathlib import Path

from pos_app.services.errors import TlsFailed

_MOST_BYTES = 64 << 10

_SERVER = ssl.Purpose.SERVER_AUTH.oid


def trust(ca_file: str = "") -> ssl.SSLContext:
    """TLS 1.2 or newer, host name checked, system roots plus `ca_file`; raises TlsFailed if either is unreadable.

    SSL_CERT_FILE and SSL_CERT_DIR are passed by: a variable must not choose whom the till believes.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        _load_system_roots(context)
    except OSError as error:  # ssl.SSLError is one
        raise TlsFailed(f"the system's roots cannot be read: {error}") from error
    if ca_file:
        try:
            context.load_verify_locations(cafile=ca_file)
        except (OSError, ssl.SSLError) as error:
            raise TlsFailed(f"ca_file {ca_file} cannot be used: {error}") from error
    return context


def pinned(ca_file: str, pin: str) -> ssl.SSLContext:
    """The same, believing the first certificate in `ca_file` alone, and that only if `pin` is its SHA-256.

    Raises TlsFailed for any other file.
    """
    try:
        with Path(ca_file).open("rb") as file:
            der = ssl.PEM_cert_to_DER_cert(file.read(_MOST_BYTES).decode("ascii").strip())
    except (OSError, ValueError) as error:
        raise TlsFailed(f"ca_file {ca_file} cannot be used: {error}") from error
    if hashlib.sha256(der).hexdigest() != pin.lower():
        raise TlsFailed(f"ca_file {ca_file} is not the certificate of this fingerprint")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_verify_locations(cadata=der)
    except ssl.SSLError as error:
        raise TlsFailed(f"ca_file {ca_file} cannot be used: {error}") from error
    return context


def _load_system_roots(context: ssl.SSLContext) -> None:
    if sys.platform == "win32":
        # Not by `load_default_certs`: it would take SSL_CERT_FILE and SSL_CERT_DIR as well.
        for store in ("CA", "ROOT"):
            for certificate, encoding, purposes in ssl.enum_certificates(store):
                is_for_servers = purposes is True or (isinstance(purposes, set) and _SERVER in purposes)
                if encoding == "x509_asn" and is_for_servers:
                    with suppress(ssl.SSLError):  # one that OpenSSL cannot read is believed by nobody
                        context.load_verify_locations(cadata=certificate)
        return
    places = ssl.get_default_verify_paths()
    cafile, capath = Path(places.openssl_cafile), Path(places.openssl_capath)
    if cafile.is_file():
        context.load_verify_locations(cafile=cafile)
    if capath.is_dir():
        context.load_verify_locations(capath=capath)
