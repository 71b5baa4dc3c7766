"""What the screens of a file of payments say in English. No logic."""

from __future__ import annotations

from pos_app.domain.export import NOT_READ, STOPPED, Format
from pos_app.i18n.table import Plural, Table
from pos_app.system.atomic_file import WriteTrouble


class Export(Table):
    """The words; English until told otherwise."""

    TITLE = "Save payments as a file"
    OPEN = "Export"
    CLOSE = "Close"
    WHAT = "Payments"
    ALL = "All payments"
    DATES = "From one day to another"
    MONTH = "The month {month}"
    Z = "Z {number}"
    SHOWN = "What is shown"
    FROM = "From day"
    TO = "To day"
    DATE_EXAMPLE = "2026-03-01"
    BAD_DATE = "Enter a day as in 2026-03-01."
    BAD_ORDER = "The first day is after the last."
    KIND = "File"
    FORMAT = {
        Format.CSV: "CSV, for programs and spreadsheets",
        Format.XLSX: "Excel workbook",
        Format.JSONL: "JSON lines, for programs",
        Format.LEDGER: "Ledger, for bookkeeping programs",
    }
    WHERE = "Where"
    HERE = "On this till: {folder}"
    STICK = "USB stick {name}"
    NUMBERS = "With whole wallet numbers"
    WRITE = "Save"
    CANCEL = "Stop"
    ASK_TITLE = "Save payments as a file?"
    ASK_MORE = "Who has the file can read every payment in it. Your name and reason are recorded."
    ASK_NUMBERS = "Whole wallet numbers of customers will be in the file. Your name and reason are recorded."
    ASK_YES = "Save it"
    WRITING = "The payments are being written…"
    DONE = Plural(
        one="The file is saved. One line, SHA-256 {sha}:",
        other="The file is saved. {count} lines, SHA-256 {sha}:",
    )
    PULL_OUT = "The stick can be pulled out."
    TROUBLE = {
        WriteTrouble.EXISTS: "Too many files of that name are there. Nothing was saved.",
        WriteTrouble.BEING_WRITTEN: "This file is being written already. Nothing was saved.",
        WriteTrouble.FULL: "The disk is full. Nothing was saved, and nothing half is left.",
        WriteTrouble.TOO_BIG: "The file is too big for this disk. Nothing was saved, and nothing half is left.",
        WriteTrouble.GONE: "The stick or folder is gone. Nothing was saved there.",
        WriteTrouble.READ_ONLY: "This disk cannot be written. Nothing was saved.",
        WriteTrouble.NOT_ALLOWED: "The till may not write there. Nothing was saved.",
        WriteTrouble.OTHER: "It could not be written. Nothing was saved.",
        NOT_READ: "The record cannot be read just now. Nothing was saved.",
        STOPPED: "Stopped. Nothing was saved.",
    }


words = Export()
