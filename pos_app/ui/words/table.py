"""The shape of a language's table: which words there must be. Holds no words itself."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pos_app.domain.attempt import Flag, Reason, State
from pos_app.domain.money import AmountProblem
from pos_app.domain.phone import NumberProblem
from pos_app.domain.views import Block, Connection, Decline


class CodeWords(msgspec.Struct, frozen=True):
    """A service code: what it means for this payment, and what to do now."""

    said: str
    todo: str


class PadWords(msgspec.Struct, frozen=True, kw_only=True):
    """Amount, keypad, invoice number and reference."""

    amount: str
    fold: str
    invoice: str
    reference: str
    text_problem: str
    backspace: str
    point: str
    problem: Mapping[AmountProblem, str]


class MethodWords(msgspec.Struct, frozen=True, kw_only=True):
    """Choosing how the customer pays, and the wallet number."""

    ask: str
    ask_again: str
    qr: str
    qr_more: str
    push: str
    push_more: str
    or_enter: str
    push_ask: str
    number: str
    send: str
    back: str
    problem: Mapping[NumberProblem, str]
    starting: str
    park_first: str
    park_first_more: str
    park_first_yes: str


class WaitWords(msgspec.Struct, frozen=True, kw_only=True):
    """The running payment."""

    title: str
    sending: str
    cancelling: str
    qr_stages: tuple[str, ...]
    push_stages: tuple[str, ...]
    trust: str
    next_qr: str
    next_push: str
    open_app_qr: str
    open_app_push: str
    other_qr: str
    other_push: str
    long: str
    scanned: str
    opened: str
    approved: str
    scan_failed: str
    unknown_status: str
    sending_next: str
    cancel_asked: str
    gave_up: str
    phone: str
    code: str
    no_code: str
    cancel: str
    check: str
    park: str
    use_qr: str
    use_push: str
    passed: str


class ResultWords(msgspec.Struct, frozen=True, kw_only=True):
    """Headlines of results and the sentences under them."""

    paid: str
    not_paid: str
    not_known: str
    disputed: str
    late: str
    paid_twice: str
    signed_off: str
    paid_more: str
    cancelled: str
    cancelled_by_service: str
    not_sent: str
    refused: str
    refused_http: str
    refused_checking: str
    unknown_code: CodeWords
    do_not_repeat: str
    in_doubt: str
    unresolved: str
    no_goods: str
    late_more: str
    late_completed: str
    late_refunded: str
    crossed: str
    twice_more: str
    twice_more_short: str
    signed_paid: str
    signed_not_paid: str
    before_restart: str
    write_down: str
    checking: str
    other_method: str
    next_sale: str
    any_digit: str
    done: str
    leave: str
    close: str
    go_on: str
    answer: str
    sign_refund: str
    sale: str
    by_qr: str
    by_push: str
    next_figure: str


class AskWords(msgspec.Struct, frozen=True, kw_only=True):
    """Questions and alerts on the overlay."""

    cancel: str
    cancel_more: str
    cancel_yes: str
    cancel_no: str
    close: str
    close_more: str
    close_yes: str
    large: str
    large_more: str
    large_yes: str
    go_back: str
    similar: str
    similar_amount: str
    similar_yes: str
    name: str
    reason: str
    complete: str
    refund: str
    sign: str
    later: str
    reason_complete: str
    reason_refund: str
    details: str
    details_rows: tuple[str, ...]
    shut: str


class BarWords(msgspec.Struct, frozen=True, kw_only=True):
    """Top bar and notices."""

    counter: str
    open_one: str
    open_many: str
    sign_in: str
    signed_in: str
    sign_out: str
    sign_out_more: str
    sign_out_yes: str
    settings: str
    help: str
    clock: str
    recent: str
    none_yet: str
    starting: str
    starting_many: str
    show: str
    parked_ended: str
    rebuilt: str
    rebuilding: str
    need_manager: str
    seconds: str
    minutes: str
    hours: str


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """All of a language. `right_to_left` mirrors the window."""

    language: str
    right_to_left: bool
    state: Mapping[State, str]
    reason: Mapping[Reason, str]
    code: Mapping[str, CodeWords]
    flag: Mapping[Flag, str]
    decline: Mapping[Decline, str]
    block: Mapping[Block, str]
    connection: Mapping[Connection, str]
    trouble: Mapping[Connection, str]
    key: Mapping[str, str]
    pad: PadWords
    method: MethodWords
    wait: WaitWords
    result: ResultWords
    ask: AskWords
    bar: BarWords
