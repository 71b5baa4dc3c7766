"""Turns an exercise and a learner into what the coach's pages say. Pure: no widget, no clock, no judgement."""

from __future__ import annotations

import msgspec

from pos_app.domain.attempt import Kind
from pos_app.domain.phone import spaced
from pos_app.i18n.words.day import words as day_words
from pos_app.i18n.words.manager import words as manager_words
from pos_app.i18n.words.phone import words as phone_words
from pos_app.i18n.words.pretended import words as pretended_words
from pos_app.i18n.words.printing import words as printing_words
from pos_app.i18n.words.sign_in import words as sign_in_words
from pos_app.i18n.words.till import words as till_words
from pos_app.i18n.words.training import words
from pos_app.training.course.exercises import COURSE, FIRST_PUSH, FIRST_QR
from pos_app.training.course.progress import Learner
from pos_app.training.course.run import Outcome, Run
from pos_app.training.course.scenario import Scenario, Step, Where
from pos_app.training.course.scene import Decision
from pos_app.ui.view_config import TillViewConfig


class Line(msgspec.Struct, frozen=True):
    """An exercise on the list."""

    key: str
    title: str
    mark: str
    outcome: Outcome | None


class Listed(msgspec.Struct, frozen=True):
    """The list of exercises, and how far this learner is."""

    name: str
    done: str
    lines: tuple[Line, ...]
    next_key: str


class Opening(msgspec.Struct, frozen=True):
    """An exercise before it begins."""

    title: str
    learn: str
    mark: str


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """A step: who says what, the one instruction, and which decisions are to be had."""

    title: str
    place: str
    note: str = ""
    says: str = ""
    do: str
    goods: str = ""
    decisions: tuple[Decision, ...] = ()
    where: Where = Where.TILL


class Verdict(msgspec.Struct, frozen=True):
    """How it ended, and why that was right or would have cost money."""

    title: str
    headline: str
    is_right: bool
    why: str


def listed(learner: Learner) -> Listed:
    """The list for this learner."""
    lines = tuple(_line(each, learner) for each in COURSE)
    right = sum(line.outcome is Outcome.RIGHT for line in lines)
    done = words.ALL_RIGHT if right == len(lines) else words.DONE.of(right, all=len(lines))
    next_key = next((line.key for line in lines if line.outcome is not Outcome.RIGHT), "")
    return Listed(learner.name, done, lines, next_key)


def _line(scenario: Scenario, learner: Learner) -> Line:
    mark = learner.marks.get(scenario.key)
    outcome = None if mark is None else mark.outcome
    return Line(scenario.key, words.TITLES[scenario.key], _mark(outcome), outcome)


def _mark(outcome: Outcome | None) -> str:
    match outcome:
        case Outcome.RIGHT:
            return words.MARK_RIGHT
        case Outcome.SLIPPED:
            return words.MARK_SLIPPED
        case _:
            return words.MARK_NONE


def opening(scenario: Scenario, learner: Learner) -> Opening:
    """What is to be learnt."""
    return Opening(words.TITLES[scenario.key], words.LEARNS[scenario.key], _line(scenario, learner).mark)


def telling(run: Run, config: TillViewConfig, *, is_silent: bool = False) -> Telling:
    """The step as it is now."""
    scenario, step = run.scenario, run.step
    filled = _filled(scenario, step, config)
    key = step.key if not run.number else f"{scenario.key}.{step.key}"
    note = words.NO_SANDBOX if is_silent else words.AGAIN if run.is_again else ""
    if not note and run.scene.noticed and step.key == "charge":
        note = words.NOTICED
    at_hand = run.scene.at_hand if run.may_decide and step.where not in (Where.PHONE, Where.BOTH) else None
    return Telling(
        title=words.TITLES[scenario.key],
        place=words.STEP.format(number=run.number, count=run.count) if run.number else words.PREPARING,
        note=note,
        says=words.SAYS.get(key, "").format(**filled),
        do=words.DO[key].format(**filled),
        goods="" if at_hand is None else words.GOODS.format(money=config.money(at_hand.amount)),
        decisions=() if at_hand is None else _decisions(step),
        where=step.where,
    )


def _decisions(step: Step) -> tuple[Decision, ...]:
    both = (Decision.HAND_OVER, Decision.NO_GOODS)
    return (Decision.HAND_OVER, Decision.WAIT) if step.may_wait else both


def _filled(scenario: Scenario, step: Step, config: TillViewConfig) -> dict[str, str]:
    customer = scenario.customers[step.customer]
    numbers = [spoken_number(each, config.country) for each in customer.numbers] or [""]
    again = step.key in ("again", "wait", "goods") and len(numbers) > 1
    return _buttons() | {
        "money": config.money(customer.amount),
        "figure": config.figure(customer.amount),
        "number": numbers[-1 if again else 0],
        "right_number": numbers[-1],
    }


def _buttons() -> dict[str, str]:
    """What the buttons are called that an instruction names, and what the customer reads on the phone."""
    return {
        "qr": till_words.method.qr,
        "push": till_words.method.push,
        "park": till_words.wait.park,
        "check": till_words.wait.check,
        "answer": till_words.result.answer,
        "someone_else": sign_in_words.BACK,
        "scan": phone_words.SCAN_NOW,
        "approve": phone_words.APPROVE,
        "sms": phone_words.MESSAGES,
        "no_paper": pretended_words.NO_PAPER,
        "copy": printing_words.COPY_YES,
        "day": manager_words.DAY,
        "close_day": day_words.CLOSE_DAY,
        "success": phone_words.status("Payment Success"),
    }


def spoken_number(number: str, country: str) -> str:
    """As people of this country say and type it; its spaces break no line, and no direction turns it round."""
    said = spaced(number)
    if country == "LK":
        said = said.replace("+94 ", "0")
    return said.replace(" ", "\u00a0")


def verdict(run: Run) -> Verdict:
    """How it ended."""
    key = run.scenario.key
    title = words.TITLES[key]
    if run.slip is None:
        noticed = (words.NOTICED_TOO,) if run.scene.noticed else ()
        last = run.scene.last_of(0)
        if key == FIRST_PUSH.key and last is not None and last.kind is Kind.QR:
            # No request was sent that could be praised.
            key = FIRST_QR.key
        return Verdict(title, words.RIGHT_TITLE, True, " ".join((words.RIGHTS[key], *noticed)))
    why = words.SLIP_IN.get(f"{key}.{run.slip.value}", words.SLIP[run.slip])
    return Verdict(title, words.SLIP_TITLE, False, why)
