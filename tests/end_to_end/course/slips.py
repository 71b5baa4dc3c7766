"""Each exercise done wrong, as people do, at a real till and a real sandbox; and the slip it is told as."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt

from pos_app.training.course.scene import Decision
from pos_app.training.course.slips import Slip
from tests.end_to_end.course.trainee import F6, WRONG, Trainee


def _again(on: Trainee, amount: str) -> None:
    """The same amount once more, though the first may still come: parked, and 'another customer'."""
    on.press(F6)
    on.until_seen("methods_panel")
    on.type(amount)
    on.press(Qt.Key.Key_F2)
    on.until_seen("question")
    on.touch("question_yes")


def hands_over_before_paid(on: Trainee) -> None:
    on.ask_by_qr("450")
    on.until_step("scan")
    on.coach.touch("scan_now")
    on.until_step("approve")
    on.coach.touch("phone_reject")
    on.until_step("charge")
    on.hand_over()


def types_another_amount(on: Trainee) -> None:
    on.ask_by_phone("98")


def charges_beside_the_wrong_number(on: Trainee) -> None:
    on.ask_by_phone("1500", WRONG)
    on.until_step("cancel")
    _again(on, "1500")


def believes_the_customer(on: Trainee) -> None:
    on.ask_by_phone("620")
    on.until_step("other")
    on.hand_over()


def lets_the_first_go_unpaid(on: Trainee) -> None:
    on.ask_by_phone("1350")
    on.until_step("park")
    on.decide(Decision.NO_GOODS)


def believes_the_cancel(on: Trainee) -> None:
    on.ask_by_phone("730")
    on.until_step("cancel")
    on.cancel()
    on.until_step("answer")
    on.settle_sale("complete")
    on.until_step("goods")
    on.decide(Decision.NO_GOODS)


def charges_while_not_known(on: Trainee) -> None:
    on.ask_by_phone("2400")
    on.until_step("tempted")
    _again(on, "2400")


def trusts_a_screenshot(on: Trainee) -> None:
    on.ask_by_phone("1100")
    on.until_step("screenshot")
    on.hand_over()


def goes_home(on: Trainee) -> None:
    on.ask_by_phone("350")
    on.until_step("park")
    on.hand_over()


def sends_it_to_a_stranger(on: Trainee) -> None:
    on.ask_by_phone("880", WRONG)


def sends_home_for_want_of_paper(on: Trainee) -> None:
    on.ask_by_qr("560")
    on.until_step("paper")
    on.decide(Decision.NO_GOODS)


def closes_before_the_goods(on: Trainee) -> None:
    on.ask_by_qr("275")
    on.until_step("goods")
    on.decide(Decision.NO_GOODS)


SLIPS: Mapping[str, tuple[Callable[[Trainee], None], Slip, str]] = {
    "first_qr": (hands_over_before_paid, Slip.HANDED_UNPAID, "the till did not say PAID"),
    "first_push": (types_another_amount, Slip.OTHER_AMOUNT, "another amount than the bill"),
    "wrong_number": (charges_beside_the_wrong_number, Slip.CHARGED_TWICE, "stranger’s phone"),
    "rejected": (believes_the_customer, Slip.HANDED_UNPAID, "rejected the request"),
    "no_answer": (lets_the_first_go_unpaid, Slip.LEFT_OPEN, "still open"),
    "cancel_loses": (believes_the_cancel, Slip.SENT_AWAY_PAID, "before the cancel did"),
    "late": (charges_while_not_known, Slip.CHARGED_TWICE, "NOT KNOWN YET"),
    "service_down": (trusts_a_screenshot, Slip.HANDED_UNPAID, "no proof"),
    "lock": (goes_home, Slip.HANDED_UNPAID, "the till did not say PAID"),
    "paper_out": (sends_home_for_want_of_paper, Slip.SENT_AWAY_PAID, "without goods"),
    "close_day": (closes_before_the_goods, Slip.SENT_AWAY_PAID, "without goods"),
    "restarted": (sends_it_to_a_stranger, Slip.OTHER_NUMBER, "another number"),
}
"""By the exercise: what is done, what it is, and words of the reason."""
