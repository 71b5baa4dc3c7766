"""Each exercise done right, at a real till and a real sandbox; a step at a time, so that a test can leave the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt

from pos_app.domain.print_job import Why
from pos_app.training.course.scene import Decision
from tests.end_to_end.course.trainee import F5, F6, F9, RIGHT, WRONG, Trainee
from tests.support.driver import Driver


def first_qr(on: Trainee) -> None:
    on.ask_by_qr("450")
    on.until_step("scan")
    on.coach.touch("scan_now")
    on.until_step("approve")
    on.coach.touch("phone_approve")
    on.until_step("goods")
    on.hand_over()


def first_push(on: Trainee) -> None:
    on.ask_by_phone("980")
    on.until_step("approve")
    on.coach.touch("phone_approve")
    on.until_step("goods")
    on.hand_over()


def wrong_number(on: Trainee) -> None:
    on.ask_by_phone("1500", WRONG)
    on.until_step("cancel")
    on.cancel()
    on.until_step("again")
    on.touch("result_push")
    on.until_seen("wallet_number")
    on.part("wallet_number").clear()
    on.type(RIGHT)
    on.press(Qt.Key.Key_Return)
    on.until_step("goods")
    on.hand_over()


def rejected(on: Trainee) -> None:
    on.ask_by_phone("620")
    on.until_step("other")
    on.touch("result_qr")
    on.until_step("goods")
    on.hand_over()


def no_answer(on: Trainee) -> None:
    on.ask_by_phone("1350")
    on.until_step("park")
    first = on.sandbox.transactions()[0]["externalMerchantTransactionId"]
    on.press(F6)
    on.until_step("next")
    on.ask_by_qr("200")
    on.until_step("next_goods")
    on.hand_over()
    on.until_step("cancel")
    on.press(Qt.Key.Key_F8)
    on.until_seen("open_payments")
    on.touch(f"show_{first}")
    on.until(lambda: on.seen("waiting_panel"))
    on.cancel()
    on.until_step("no_goods")
    on.decide(Decision.NO_GOODS)


def cancel_loses(on: Trainee) -> None:
    on.ask_by_phone("730")
    on.until_step("cancel")
    on.cancel()
    on.until_step("answer")
    on.settle_sale("complete")
    on.until_step("goods")
    on.hand_over()


def late(on: Trainee) -> None:
    on.ask_by_phone("2400")
    on.until_step("tempted")
    on.until_result("NOT KNOWN YET")
    on.decide(Decision.WAIT)
    on.until_step("late")
    on.press(F5)
    on.until_step("answer")
    on.settle_sale("complete")
    on.until_step("goods")
    on.hand_over()


def service_down(on: Trainee) -> None:
    on.ask_by_phone("1100")
    on.until_step("screenshot")
    on.until_result("NOT KNOWN YET")
    on.decide(Decision.WAIT)
    on.until_step("back")
    on.until_step("goods")
    on.hand_over()


def lock(on: Trainee) -> None:
    on.ask_by_phone("350")
    on.until_step("park")
    on.press(F6)
    on.until_step("lock")
    on.press(F9)
    on.until_step("other")
    on.until_seen("cover")
    on.touch("someone_else")
    on.sign_in("Kasun")
    on.until_step("goods")
    on.hand_over()


def restarted(on: Trainee) -> None:
    before = on.session
    steps = on.steps()
    on.ask_by_phone("880")
    on.until(lambda: on.session is not before and on.session.beside is not None)
    assert "restart" in steps
    on.meet_own_sandbox()
    on.sign_in()
    on.until_step("goods")
    on.hand_over()


def paper_out(on: Trainee) -> None:
    on.ask_by_qr("560")
    on.until_step("paper")
    on.until(lambda: on.session.terminal.printing.why is Why.PAPER_OUT)
    printer = on.session.paper
    assert printer is not None
    Driver(printer).touch("paper_out")
    on.press(Qt.Key.Key_F12)
    on.until_step("goods")
    on.hand_over()
    on.until_step("copy")
    on.press(Qt.Key.Key_F12)
    on.until_seen("copy_ask_yes")
    on.touch("copy_ask_yes")


def close_day(on: Trainee) -> None:
    on.ask_by_qr("275")
    on.until_step("goods")
    on.hand_over()
    on.until_step("close")
    on.press(Qt.Key.Key_F10)
    on.until_seen("managers_menu")
    on.touch("manager_day")
    on.until_seen("day")
    on.touch("day_close")
    on.until_seen("day_ask_yes")
    on.touch("day_ask_yes")
    on.until_says("day_said", "The day is closed.")
    on.press(Qt.Key.Key_Escape)
    on.until_seen("managers_menu")
    on.press(Qt.Key.Key_Escape)


LESSONS: Mapping[str, Callable[[Trainee], None]] = {
    each.__name__: each
    for each in (
        first_qr,
        first_push,
        wrong_number,
        rejected,
        no_answer,
        cancel_loses,
        late,
        service_down,
        lock,
        restarted,
        paper_out,
        close_day,
    )
}
