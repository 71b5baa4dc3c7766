"""Secrets that show nothing, text that shows itself safely, and what the till's start does not import."""

import copy
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.secret import Secret, SecretError
from pos_app.domain.text import clean_text, joins, kept_text
from pos_app.services.open import ServiceConfig
from pos_app.services.token import StaticTokens


def test_a_secret_shows_itself_to_nobody() -> None:
    secret = Secret("hunter2-canary")
    config = ServiceConfig(
        base_url="https://gateway.example",
        merchant_id="M",
        secret_code=secret,
        password=secret,
        token=StaticTokens(secret),
    )
    for shown in (repr(secret), str(secret), f"{secret}", repr([secret]), repr(config), repr({secret: 1})):
        assert "canary" not in shown
    assert secret.reveal() == "hunter2-canary"
    assert copy.deepcopy(secret) == secret == copy.copy(secret)
    assert secret != Secret("other")
    assert secret != "hunter2-canary"
    assert not Secret("")
    with pytest.raises(TypeError):
        pickle.dumps(secret)


@pytest.mark.parametrize(
    "text", ["q\r\nz", "qz\n", "\x00", "ж", "€", " qz", "qz ", "qz\x7f", "q\x85z", "x" * 9_000]
)
def test_a_secret_no_header_can_carry_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(SecretError) as caught:
        Secret(text)
    assert text not in str(caught.value)


@given(st.text())
def test_clean_text_can_be_shown_and_stored(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert len(cleaned) <= 200
    assert all(c.isspace() or c.isprintable() or joins(cleaned, at) for at, c in enumerate(cleaned))
    assert not set(cleaned) & set("\x00\x1b\n\r\u200b\u200e\u200f\u202a\u202e\u2066\u2069\u2028\ufeff")
    assert clean_text(cleaned) == cleaned


@pytest.mark.parametrize(
    "text", ["Paid", "Bezahlt für Ø", "ගෙවා ඇත", "ශ්‍රී ලංකා", "支付 成功", "<b>PAID</b>", "  x  "]
)
def test_text_that_is_clean_stays_as_it_is(text: str) -> None:
    assert clean_text(text) == text
    assert kept_text(text) == text


@given(st.text())
def test_a_kept_name_never_becomes_another_name(text: str) -> None:
    kept = kept_text(text)
    assert kept == text or kept[0] in "'\""
    assert clean_text(kept) == kept


def test_the_service_layer_is_put_together_without_the_http_library() -> None:
    code = (
        "import sys; from pos_app.domain.secret import Secret as S;"
        "from pos_app.services.open import ServiceConfig as C, open_services;"
        "from pos_app.services.token import StaticTokens as T;"
        "open_services(C(base_url='https://x.example', merchant_id='M', secret_code=S('a'), password=S('b'),"
        "token=T(S('t')))).close();"
        "sys.exit(bool({'httpx', 'httpcore', 'ssl', 'subprocess', 'email', 'PySide6', 'sqlite3'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_http_library_comes_without_its_command_line() -> None:
    """As it is here, where rich and click are installed: they are loaded for nothing where it is not left out."""
    code = (
        "import sys; from pos_app.services.client import ServiceClient as C;"
        "client = C('https://x.example'); client.warm(); client.close();"
        "sys.exit('httpx' not in sys.modules or bool({'rich', 'click', 'pygments'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
