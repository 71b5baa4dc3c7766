"""Tokens of sessions, forms and links: made of chance, kept as digests, so that who reads the tables has none. Pure."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

TOKEN_BYTES = 32


def new_token() -> str:
    """A token for a cookie or a link: 256 bits, letters that an address may hold."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> bytes:
    """What is kept of a token."""
    return sha256(b"pos_app store token 1\0" + token.encode("utf-8", "replace")).digest()


def form_token(session_token: str) -> str:
    """What each form of a session carries: only who was sent the page knows it, and it is worth nothing elsewhere."""
    return hmac.new(session_token.encode(), b"pos_app store form 1", "sha256").hexdigest()


def is_form_token(typed: str, session_token: str) -> bool:
    """Whether a form was filled in on a page of this session."""
    return hmac.compare_digest(typed.encode("utf-8", "replace"), form_token(session_token).encode())
