"""Whose certificates are believed: the system's roots and one extra from the settings. No way around it."""

from __future__ import annotations

import ssl
import sys
from contextlib import suppress
from pathlib import Path

from pos_app.services.errors import TlsFailed

_SERVER = ssl.Purpose.SERVER_AUTH.oid


def trust(ca_file: str = "") -> ssl.SSLContext:
    """TLS 1.2 or newer, host name checked, system roots plus `ca_file`; raises TlsFailed if unreadable.

    SSL_CERT_FILE and SSL_CERT_DIR are passed by: a variable must not choose whom the till believes.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    _load_system_roots(context)
    if ca_file:
        try:
            context.load_verify_locations(cafile=ca_file)
        except (OSError, ssl.SSLError) as error:
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
