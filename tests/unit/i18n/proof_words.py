"""The words that say a payment's money is there, in every language, and every text that may hold them. Judges nothing.

Whoever reads one of them hands over goods, or walks off with them. So they stand where the money is proven, or where a
sentence cannot be taken for that; a stage that is not reached yet, a button, the pretend phone and its owner's wallet
are none of these.
"""

from __future__ import annotations

import re

PROOF = {
    "en": re.compile(
        r"(?<!not )\bpaid\b|\bpayment (is )?(successful|received|complete\b)|\bmoney (has arrived|has come|came)\b",
        re.IGNORECASE,
    ),
    "si": re.compile("ගෙවීම ලැබුණ|මුදල් (පළමුව )?ලැබුණ|මුදල් ලැබී ඇත|ගෙවා ඇත|ගෙවා තිබුණ|ගෙව්වා|(?<!අ)සාර්ථකයි|ආ මුදල්|වී ලැබුණි"),
    "ta": re.compile(
        "பணம் கிடைத்த|பணம் பெற்றோம்|வந்த பணம்|பணம் (முதலில் |தாமதமாக )?வந்த(து|ுவிட்டது)"
        "|செலுத்திவிட்டார்|செலுத்திவிட்டேன்|செலுத்தியாயிற்று|செலுத்தப்பட்டது|செலுத்தினார்"
    ),
    "ar": re.compile(
        "تم الدفع|دُفع|(?<!لم ي)وصل ال(مبلغ|مال)|وصل متأخر|دفع العميل المبلغ|لكنني دفعت|نجحت العملية|اكتمل"
    ),
}
"""A text of the language in which this is found says that it is paid."""

MAY_SAY_PAID = {
    "It is the proof: shown for a payment whose state is PAID.": (
        "till:result.paid",
        "till:state.PAID",
        "till:result.paid_more",
        "customer:PAID",
        "paper:PAID",
        "paper:PAID_AT",
    ),
    "It counts or chooses payments whose money is proven, in a list that says of each what it is.": (
        "find:PAID",
        "find:TOTAL",
    ),
    "The money is proven, and something is to be settled with it: late, crossed with a cancel, twice.": (
        "till:result.late",
        "till:state.PAID_LATE",
        "till:result.late_more",
        "till:result.late_completed",
        "till:result.late_refunded",
        "till:result.crossed",
        "till:result.paid_twice",
        "till:result.twice_more",
        "open_payments:ADVICE_LATE",
        "open_payments:ADVICE_CROSSED",
        "open_payments:ADVICE_TWICE",
        "open_payments:ANSWER_MORE",
        "approval:WANTED.COMPLETE",
        "approval:WANTED.SIGN_REFUND",
        "manager:ACTION.complete",
        "paper:PAID_LATE",
        "paper:OVERPAID",
        "reconcile:KIND.PAID_TWICE",
        "store_page:KIND.late",
        "store_page:KIND.twice",
        "store_page:HATCHED_IS",
        "store_page:NEEDS_NONE",
    ),
    "It says which of two sides calls it so and that the other does not: a difference, to be looked into.": (
        "reconcile:KIND.HERE_PAID",
        "reconcile:KIND.THERE_PAID",
    ),
    "A manager has decided so, by name and with a reason, or is about to.": (
        "open_payments:SIGN_OFF_PAID",
        "approval:SIGN_OFF.paid",
        "till:result.signed_paid",
        "till:result.signed_off_paid",
        "manager:ACTION.paid",
        "paper:SIGNED_PAID",
    ),
    "The service says so, under a heading or in a sentence that says whose word it is; at the command line alone.": (
        "terminal:SERVICE.Payment Success",
    ),
    "It says itself that the money is in doubt, or can never come, and what not to do.": (
        "till:reason.CONTRADICTED",
        "safe_screen:OPEN",
        "till:ask.close_more",
    ),
    "The course names the till's word, to wait for it or to look at it.": (
        "training:LEARNS.first_qr",
        "training:DO.first_qr.wait",
        "training:DO.first_qr.goods",
        "training:DO.first_push.wait",
        "training:DO.first_push.goods",
        "training:DO.paper_out.wait",
        "training:DO.close_day.wait",
        "training:DO.wrong_number.wait",
        "training:DO.rejected.wait",
        "training:DO.no_answer.next_wait",
        "training:RIGHTS.first_qr",
        "training:RIGHTS.first_push",
        "training:RIGHTS.rejected",
        "training:SLIP.HANDED_UNPAID",
        "training:SLIP_IN.late.handed_unpaid",
        "training:SLIP_IN.service_down.handed_unpaid",
    ),
    "The course tells of money that is there by then, or would be there twice.": (
        "training:DO.cancel_loses.answer",
        "training:DO.late.answer",
        "training:TITLES.late",
        "training:RIGHTS.late",
        "training:RIGHTS.cancel_loses",
        "training:RIGHTS.service_down",
        "training:SLIP_IN.late.charged_twice",
        "training:SLIP_IN.cancel_loses.charged_twice",
        "training:SLIP_IN.cancel_loses.sent_away_paid",
        "training:SLIP_IN.wrong_number.charged_twice",
    ),
    "A pretend customer claims it, and the exercise is that it proves nothing.": (
        "training:SAYS.rejected.other",
        "training:SAYS.service_down.screenshot",
    ),
    "The pretend phone's own wallet, in words that the till and the customer's screen never use.": (
        "phone:STATUS.Payment Success",
    ),
}
"""Why a text may, and which: every other text is held to say nothing of the kind."""


def says_paid(language: str, text: str) -> bool:
    """Whether a text of this language says that it is paid."""
    return PROOF[language].search(text) is not None
