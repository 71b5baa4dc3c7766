"""The course: its exercises in the order they are learnt. Data alone; the words stand in ui/words/training.py."""

from __future__ import annotations

from decimal import Decimal

from pos_app.domain.attempt import Kind, State
from pos_app.training.course import signs
from pos_app.training.course.acts import Break, Mend, Patience, PhoneNumber, Play, Printer, Restart
from pos_app.training.course.acts import Customer as Does
from pos_app.training.course.scenario import Scenario, Step, Where
from pos_app.training.course.scene import Customer, Decision

NUMBER = "+94771234567"
STRANGER = "+94771234568"
NOBODY = "+94770000099"
"""Whose phone lies on the counter while the customer's own does what the exercise has it do: a learner who answered in
its place, as the first exercises ask for, would take the trouble out of it."""
SHORT_PATIENCE = Patience(give_up_s=20, unresolved_s=4)

# What the sandbox does at its control interface; `count` null: until it is mended.
_REPLY_LOST = {"kind": "drop_after", "operation": "initiate_push"}
_NO_ANSWER = {"kind": "status", "operation": "get_status", "status": 503, "count": None}
_PAID_FIRST = {"kind": "cancel_loses"}


def _customer(amount: str, *numbers: str) -> Customer:
    return Customer(Decimal(amount), numbers)


def _charge(kind: Kind | None = None, who: int = 0) -> Step:
    """`kind`: any other is to be taken back first, which must be possible: where the trouble would not let it, any is
    as good."""
    return Step(key="charge", until=signs.asked(who, kind), customer=who)


def _charge_or_paid(kind: Kind) -> Step:
    """What the customer has paid by the other way meanwhile cannot be taken back, and is not to be charged again."""
    return Step(key="charge", until=signs.either(signs.asked(0, kind), signs.paid()))


def _goods(who: int = 0) -> Step:
    return Step(key="goods", until=signs.settled(who), where=Where.GOODS, customer=who)


def _then(key: str, until: signs.Sign, *plays: Play, where: Where = Where.TILL, who: int = 0) -> Step:
    """A step that is lost when the payment ends without money: then it is charged again."""
    return Step(
        key=key,
        until=until,
        where=where,
        plays=plays,
        customer=who,
        back_if=signs.nothing_taken(who),
        back_to="charge",
    )


FIRST_QR = Scenario(
    key="first_qr",
    customers=(_customer("450.00"),),
    set_up=(PhoneNumber(""),),
    steps=(
        _charge_or_paid(Kind.QR),
        _then("scan", signs.opened(), where=Where.PHONE),
        _then("approve", signs.approved(), where=Where.PHONE),
        _then("wait", signs.paid()),
        _goods(),
    ),
)

FIRST_PUSH = Scenario(
    key="first_push",
    customers=(_customer("980.00", NUMBER),),
    set_up=(PhoneNumber(NUMBER),),
    steps=(
        _charge_or_paid(Kind.PUSH),
        _then("approve", signs.approved(), where=Where.PHONE),
        _then("wait", signs.paid()),
        _goods(),
    ),
)

WRONG_NUMBER = Scenario(
    key="wrong_number",
    customers=(_customer("1500.00", STRANGER, NUMBER),),
    set_up=(PhoneNumber(NUMBER),),
    steps=(
        _charge(Kind.PUSH),
        Step(key="cancel", until=signs.nothing_taken()),
        Step(key="again", until=signs.another_asked()),
        Step(
            key="wait",
            until=signs.paid(),
            plays=(Play(Does("approve"), 4),),
            back_if=signs.nothing_taken(),
            back_to="again",
        ),
        _goods(),
    ),
)

REJECTED = Scenario(
    key="rejected",
    customers=(_customer("620.00", NUMBER),),
    set_up=(PhoneNumber(NOBODY),),
    steps=(
        _charge(Kind.PUSH),
        Step(key="see", until=signs.nothing_taken(), plays=(Play(Does("reject"), 4),)),
        Step(key="other", until=signs.another_asked(), plays=(Play(PhoneNumber(NUMBER)),)),
        Step(
            key="wait",
            until=signs.paid(),
            plays=(Play(Does("approve"), 5),),
            back_if=signs.nothing_taken(),
            back_to="other",
        ),
        _goods(),
    ),
)

NO_ANSWER = Scenario(
    key="no_answer",
    customers=(_customer("1350.00", NUMBER), _customer("200.00")),
    set_up=(PhoneNumber(NOBODY),),
    steps=(
        _charge(Kind.PUSH),
        _then("park", signs.parked()),
        Step(key="next", until=signs.asked(1), customer=1),
        Step(
            key="next_wait",
            until=signs.paid(1),
            plays=(Play(Does("approve", 1), 4),),
            customer=1,
            back_if=signs.nothing_taken(1),
            back_to="next",
        ),
        Step(key="next_goods", until=signs.settled(1), where=Where.GOODS, customer=1),
        Step(key="cancel", until=signs.either(signs.nothing_taken(), signs.paid())),
        Step(key="no_goods", until=signs.settled(), where=Where.GOODS),
    ),
)

LATE = Scenario(
    key="late",
    customers=(_customer("2400.00", NUMBER),),
    set_up=(PhoneNumber(NOBODY), SHORT_PATIENCE),
    steps=(
        _charge(Kind.PUSH),
        _then("give_up", signs.in_state(0, State.UNRESOLVED), Play(Does("verify"), 1)),
        Step(
            key="tempted",
            until=signs.said(Decision.WAIT),
            where=Where.GOODS,
            may_wait=True,
            # The cancel of giving up came before the customer had opened the request.
            back_if=signs.nothing_taken(),
            back_to="charge",
        ),
        _then("late", signs.in_state(0, State.PAID_LATE), Play(Does("pay"), 3)),
        Step(key="answer", until=signs.answered(), plays=(Play(PhoneNumber(NUMBER)),)),
        _goods(),
    ),
)

CANCEL_LOSES = Scenario(
    key="cancel_loses",
    customers=(_customer("730.00", NUMBER),),
    set_up=(PhoneNumber(NOBODY), Break(_PAID_FIRST)),
    steps=(
        _charge(),
        _then("cancel", signs.paid()),
        Step(key="answer", until=signs.answered()),
        _goods(),
    ),
)

SERVICE_DOWN = Scenario(
    key="service_down",
    customers=(_customer("1100.00", NUMBER),),
    set_up=(PhoneNumber(NOBODY), Break(_REPLY_LOST), Break(_NO_ANSWER)),
    steps=(
        _charge(),
        Step(key="doubt", until=signs.approved(), plays=(Play(Does("approve"), 4),)),
        Step(
            key="screenshot",
            until=signs.said(Decision.WAIT),
            where=Where.GOODS,
            may_wait=True,
            plays=(Play(PhoneNumber(NUMBER)),),
        ),
        Step(key="back", until=signs.paid(), plays=(Play(Mend(), 3),)),
        _goods(),
    ),
)

HAND_OVER = Scenario(
    key="lock",
    customers=(_customer("350.00", NUMBER),),
    set_up=(PhoneNumber(NOBODY),),
    steps=(
        _charge(Kind.PUSH),
        _then("park", signs.parked()),
        _then("lock", signs.is_locked),
        _then(
            "other",
            signs.both(signs.somebody_else, signs.paid()),
            Play(PhoneNumber("")),
            Play(Does("approve"), 3),
            where=Where.BOTH,
        ),
        _goods(),
    ),
)

RESTARTED = Scenario(
    key="restarted",
    customers=(_customer("880.00", NUMBER),),
    set_up=(PhoneNumber(NUMBER),),
    steps=(
        _charge_or_paid(Kind.PUSH),
        Step(
            key="restart",
            where=Where.BOTH,
            until=signs.restarted,
            plays=(Play(PhoneNumber("")), Play(Restart(), 3)),
        ),
        _then("find", signs.paid(), Play(Does("approve"), 5)),
        _goods(),
    ),
)

PAPER_OUT = Scenario(
    key="paper_out",
    customers=(_customer("560.00"),),
    set_up=(PhoneNumber(""), Printer(paper=False)),
    steps=(
        _charge(Kind.QR),
        _then("wait", signs.paid(), Play(Does("approve"), 4)),
        Step(key="paper", until=signs.papers(1)),
        _goods(),
        Step(key="copy", until=signs.both(signs.copied(), signs.papers(2))),
    ),
)

CLOSE_DAY = Scenario(
    key="close_day",
    customers=(_customer("275.00"),),
    set_up=(PhoneNumber(""), Printer(paper=True)),
    steps=(
        _charge(Kind.QR),
        _then("wait", signs.paid(), Play(Does("approve"), 4)),
        _goods(),
        Step(key="close", until=signs.both(signs.day_closed, signs.papers(2)), where=Where.BOTH),
    ),
)

COURSE: tuple[Scenario, ...] = (
    FIRST_QR,
    FIRST_PUSH,
    WRONG_NUMBER,
    REJECTED,
    NO_ANSWER,
    CANCEL_LOSES,
    LATE,
    SERVICE_DOWN,
    HAND_OVER,
    RESTARTED,
    PAPER_OUT,
    CLOSE_DAY,
)
"""In the order they are learnt."""
