"""A picture becomes a job's bytes and, read as strictly as a printer does, the same picture again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.devices.escpos import BAND_ROWS, job_echo, job_stream
from pos_app.devices.escpos_reading import (
    Cut,
    Inked,
    JobAsked,
    Reader,
    StatusAsked,
    UnknownCommand,
    read_job,
)
from pos_app.domain.paper import Bitmap

REAL_TIME = (b"\x10\x04", b"\x10\x05", b"\x10\x14")


def noise(width: int, height: int, seed: int = 1) -> Bitmap:
    return Bitmap(width, height, random.Random(seed).randbytes(width * height // 8))


def blank(width: int, height: int) -> Bitmap:
    return Bitmap(width, height, bytes(width * height // 8))


@pytest.mark.parametrize("width", [384, 576])
@pytest.mark.parametrize("height", [1, 16, BAND_ROWS - 1, BAND_ROWS, BAND_ROWS + 1, 1000])
def test_a_job_reads_as_the_picture_it_was_made_of(width: int, height: int) -> None:
    dots = bytes(each & 0xEF for each in noise(width, height).rows)
    bitmap = Bitmap(width, height, dots)
    job = read_job(job_stream(bitmap, "A007"))
    assert (job.bitmap, job.job) == (bitmap, "A007")


def test_the_bytes_are_these() -> None:
    """Against Epson's command reference, written out: a mistake that reader and writer share is seen here."""
    picture = Bitmap(16, 129, b"\x80\x01" * 129)
    band = bytes.fromhex("1d7630 00 0200 8000") + b"\x80\x01" * 128
    rest = bytes.fromhex("1d7630 00 0200 0100 8001")
    assert job_stream(picture, "K7Q2") == (
        bytes.fromhex("1b40 1d2844 0500 14 0100 0200")
        + band
        + rest
        + bytes.fromhex("1b6404 1d564200 1d2848 0600 30 30")
        + b"K7Q2"
    )
    assert job_echo("K7Q2") == b"\x37\x22K7Q2\x00"


@pytest.mark.parametrize("pair", REAL_TIME)
def test_no_dots_are_a_real_time_command(pair: bytes) -> None:
    """A dot more, rather than a status, a drawer that opens or a printer that goes off in the middle of a picture."""
    rows = bytearray(48 * 300)
    # At the end of one row and the beginning of the next, too, and as the ends of two bands would be.
    for place in (0, 47, 95, 48 * BAND_ROWS - 2, 48 * 299 + 46):
        rows[place : place + 2] = pair
    bitmap = Bitmap(384, 300, bytes(rows))
    printed = read_job(job_stream(bitmap, "0001")).bitmap
    assert not any(each in printed.rows for each in REAL_TIME)
    changed = [
        (before, after) for before, after in zip(bitmap.rows, printed.rows, strict=True) if before != after
    ]
    assert changed == [(0x10, 0x11)] * 5


@given(st.binary(min_size=48 * 3, max_size=48 * 3), st.data())
def test_any_picture_differs_by_the_dots_of_real_time_commands_alone(
    rows: bytes, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(rows) - 2))
    rows = rows[:at] + data.draw(st.sampled_from(REAL_TIME)) + rows[at + 2 :]
    printed = read_job(job_stream(Bitmap(384, 3, rows), "0001")).bitmap.rows
    for place, (before, after) in enumerate(zip(rows, printed, strict=True)):
        assert after == before or (before, after, rows[place : place + 2] in REAL_TIME) == (0x10, 0x11, True)


def test_bytes_come_in_any_pieces() -> None:
    stream = b"\x10\x04\x04" + job_stream(blank(384, 200), "0001")
    whole = list(Reader().feed(stream))
    reader = Reader()
    single = [read for byte in stream for read in reader.feed(bytes([byte]))]
    assert single == whole
    assert whole[0] == StatusAsked(4)
    assert whole[-2:] == [Cut(), JobAsked("0001")]
    assert reader.is_between


@pytest.mark.slow
def test_what_was_cut_off_is_as_long_as_its_bytes() -> None:
    """How much lies on paper is known after each byte, so that a print that broke off is told from none."""
    stream = job_stream(blank(384, 200), "0001")
    reader, rows = Reader(), 0
    for place, byte in enumerate(stream):
        rows += sum(isinstance(each, Inked) for each in reader.feed(bytes([byte])))
        assert rows <= place // 48
        if place + 1 < len(stream):
            with pytest.raises(UnknownCommand):
                read_job(stream[: place + 1])
    assert rows == 200


@pytest.mark.parametrize(
    "unknown",
    [
        b"LKR 12.50\n",
        b"\x1b!\x00",
        b"\x1bp\x00\x19\xfa",
        b"\x10\x14\x01\x00\x01",
        b"\x10\x05\x01",
        b"\x10\x04\x07",
        b"\x1dv0\x01\x30\x00\x01\x00",
        b"\x1dv0\x00\x00\x00\x01\x00",
        b"\x1dVA\x00",
        b"\x1d(D\x05\x00\x14\x01\x01\x02\x00",
        b"\x1d(H\x06\x00\x30\x300 01",
        b"\x00",
    ],
)
def test_anything_else_is_refused(unknown: bytes) -> None:
    with pytest.raises(UnknownCommand, match=unknown[:2].hex(" ")[:5]):
        list(Reader().feed(unknown))


def test_a_real_time_command_within_a_picture_is_refused() -> None:
    for rows in (b"\x10\x04", b"\x00\x10\x14\x00"):
        head = b"\x1dv0\x00\x02\x00" + bytes([len(rows) // 2, 0])
        with pytest.raises(UnknownCommand, match="real-time"):
            list(Reader().feed(head + rows))


@pytest.mark.parametrize("job", ["", "123", "12345", "12 4", "12é4", "12\x004", "12\x7f4"])
def test_a_job_has_four_visible_signs(job: str) -> None:
    with pytest.raises(ValueError, match="four visible signs"):
        job_stream(blank(384, 1), job)


def test_a_picture_without_rows_is_no_job() -> None:
    with pytest.raises(ValueError, match="without rows"):
        job_stream(blank(384, 0), "0001")


def test_two_jobs_are_not_one() -> None:
    stream = job_stream(blank(384, 1), "0001")
    with pytest.raises(UnknownCommand, match="not the parts of one job"):
        read_job(stream + stream)
