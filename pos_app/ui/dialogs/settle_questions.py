"""The questions about one open payment, each as a ready panel. They post nothing."""

from __future__ import annotations

from pos_app.domain.attempt import Attempt
from pos_app.domain.wishes import Cancel, Close
from pos_app.ui.dialogs.confirm import Confirm
from pos_app.ui.dialogs.settle import Outcome, Settle
from pos_app.ui.face import Face
from pos_app.ui.words import english_open_payments as list_words
from pos_app.ui.words.table import Words


def answer_question(attempt: Attempt, face: Face, words: Words, name: str) -> Settle:
    """Rule 8: a late or crossed payment is completed, or refunded outside the till."""
    title = list_words.ANSWER_TITLE.format(money=face.money(attempt.amount), sale=attempt.sale_id)
    outcomes = (Outcome("refund", words.ask.refund), Outcome("complete", words.ask.complete, "primary"))
    reasons = (words.ask.reason_complete, words.ask.reason_refund)
    return Settle(
        title, list_words.ANSWER_MORE, outcomes, words, name=name, example=reasons[0], reasons=reasons
    )


def confirm_question(attempt: Attempt, wish: Cancel | Close, face: Face, words: Words) -> Confirm:
    """Asked once before a payment is cancelled (rule 6) or closed for good (rule 3a)."""
    said = words.ask
    title, more, yes = (
        (said.cancel, said.cancel_more, said.cancel_yes)
        if isinstance(wish, Cancel)
        else (said.close, said.close_more, said.close_yes)
    )
    text = more.format(money=face.money(attempt.amount), sale=attempt.sale_id)
    return Confirm(title, text, yes=yes, no=said.go_back, danger=True, name="confirm")


def sign_off_question(attempt: Attempt, face: Face, words: Words, name: str) -> Settle:
    """An unresolved or disputed payment is signed off by a manager, as paid or as not paid."""
    title = list_words.SIGN_OFF_TITLE.format(money=face.money(attempt.amount), sale=attempt.sale_id)
    outcomes = (
        Outcome("not_paid", list_words.SIGN_OFF_NOT_PAID, "danger"),
        Outcome("paid", list_words.SIGN_OFF_PAID),
    )
    example = list_words.SIGN_OFF_EXAMPLE
    return Settle(title, list_words.SIGN_OFF_MORE, outcomes, words, name=name, example=example)


def refund_question(sale_id: str, words: Words, name: str) -> Settle:
    """Rule 9: a manager signs that one of two payments was given back."""
    title = list_words.REFUND_TITLE.format(sale=sale_id)
    outcomes = (Outcome("sign_refund", words.ask.sign, "primary"),)
    return Settle(
        title,
        list_words.REFUND_MORE,
        outcomes,
        words,
        name=name,
        example=list_words.REFUND_EXAMPLE,
        reasons=(words.ask.reason_refund,),
    )
