"""Documents a lenient decoder would take, and what the strict one makes of numbers."""

import json
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.services.strict_json import Unreadable, decode

BAD = {
    "nothing": b"",
    "half": b'{"response": {"status"',
    "two documents": b"{}{}",
    "text behind": b"{} x",
    "byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": "{}".encode("utf-16"),
    "UTF-16 without a mark": "{}".encode("utf-16-le"),
    "invalid UTF-8": b'{"a": "\xff"}',
    "overlong UTF-8": b'{"a": "\xc0\xaf"}',
    "a surrogate in UTF-8": b'{"a": "\xed\xa0\x80"}',
    "a surrogate escaped": rb'{"a": "\ud800"}',
    "a surrogate escaped in a key": rb'{"\uDC00": 1}',
    "a surrogate deep inside": rb'{"a": [1, {"b": "x\udfffy"}]}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": Infinity}',
    "minus Infinity": b'{"a": -Infinity}',
    "1e400": b'{"a": 1e400}',
    "1e-400": b'{"a": 1e-400}',
    "an exponent beyond all": b'{"a": 1e99999999999999999999}',
    "33 digits": b'{"a": 123456789012345678901234567890123}',
    "33 digits with a point": b'{"a": 1.23456789012345678901234567890123}',
    "5,000 digits": b'{"a": ' + b"1" * 5_000 + b"}",
    "a key twice": b'{"status": "failure", "status": "success"}',
    "a key twice, escaped once": rb'{"a": 1, "\u0061": 2}',
    "a key twice deep inside": b'{"a": [{"b": 1, "b": 1}]}',
    "21 deep": b"[" * 21 + b"]" * 21,
    "100,000 deep": b"[" * 100_000 + b"]" * 100_000,
    "100,000 objects deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "100,000 deep without an end": b"[" * 100_000,
    "a raw line break in a text": b'{"a": "x\ny"}',
    "a single quote": b"{'a': 1}",
    "a comma too many": b'{"a": 1,}',
    "a comment": b'{"a": 1 /* one */}',
    "a leading zero": b'{"a": 01}',
    "a leading plus": b'{"a": +1}',
    "a bare point": b'{"a": .5}',
    "hexadecimal": b'{"a": 0x10}',
    "other digits": '{"a": ١٢}'.encode(),
    "a NUL behind": b"{}\x00",
}


@pytest.mark.parametrize("name", BAD)
def test_a_document_that_is_not_plain_is_unreadable(name: str) -> None:
    with pytest.raises(Unreadable):
        decode(BAD[name])


def test_numbers_are_exact() -> None:
    found = decode(b'{"a": 12.50, "b": 5003, "c": 0.1, "d": -1, "e": 1e2, "f": 12345678901234567890.12}')
    assert [str(value) for value in found.values()] == [
        "12.50",
        "5003",
        "0.1",
        "-1",
        "1E+2",
        "12345678901234567890.12",
    ]
    assert all(type(value) is Decimal for value in found.values())


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"[" * 20 + b"]" * 20, None),
        (rb'{"a": "\ud83d\ude00"}', {"a": "😀"}),
        (b'["[[[[[[[[[[[[[[[[[[[[[[", "{{\\"{{"]', ["[" * 22, '{{"{{']),
        (b'["' + b"[" * 21 + b'\\"]\\\\"]', ["[" * 21 + '"]\\']),
        (b' {"a": null, "b": true}\r\n', {"a": None, "b": True}),
    ],
)
def test_plain_documents_are_read(data: bytes, value: object) -> None:
    found = decode(data)
    assert value is None or found == value


@pytest.mark.parametrize(
    "data",
    [
        b"[" * (1 << 20),
        b"[]," * 300_000,
        b'"' + b"\\" * (1 << 20),
        b'"a' * 400_000,
        # JSON in JSON, cut off: each quote within it looked like the beginning of a text.
        b"[" * 21 + b'"' + b'\\"' * 500_000,
        b"[" * 21 + b'"' + b'\\"' * 500_000 + b"\\",
    ],
)
def test_a_hostile_megabyte_takes_no_time(data: bytes) -> None:
    began = time.process_time()
    with pytest.raises(Unreadable):
        decode(data)
    assert time.process_time() - began < 2


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_bytes_end_in_a_document_or_in_unreadable(data: bytes) -> None:
    try:
        decode(data)
    except Unreadable:
        return
    json.loads(data)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES, st.booleans())
def test_what_is_written_plainly_is_read_equal(value: object, ascii_only: bool) -> None:
    assert decode(json.dumps(value, ensure_ascii=ascii_only).encode()) == value
