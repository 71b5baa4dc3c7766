"""Rows 39 to 41 and 48 at J1 and D: what is written of a strange reply, and what stays on the screen."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Flag, Kind, Reason, State
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_poll import other_amount, stays_paid
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.readings import changed
from tests.verification.matrix.shop import Shop
from tests.verification.simulation import faults


def play(case: Case, dice: Random) -> Problems:
    """The case's row at the case's step."""
    shop = Shop(dice)
    problems = _STEPS[case.row, case.step](shop, case.kind or Kind.PUSH)
    return problems + shop.end(honest=case.row != 40)


def _kept_as_text(shop: Shop, kind: Kind) -> Problems:
    """To the letter: spaces, case and look-alikes tell names apart."""
    name = shop.dice.choice([name for name in faults.NAMES if name])
    attempt_id = shop.waiting(kind)
    shop.line.meets("status", changed(name, merchantTxnStatusName=name))
    shop.wait_for(lambda: shop.line.times("status"))
    names = [each["reply"].get("name") for each in shop.records("STATUS_ANSWERED")]
    kept = next(each for each in shop.journal.attempts() if each.attempt_id == attempt_id)
    problems = [] if name in names else [f"{name!r} is not among {names}"]
    if kept.service_status != name or kept.state is not State.WAITING:
        problems.append(f"the journal says {kept.state} {kept.service_status!r}")
    shop.pays(attempt_id)
    return problems


def _paid(shop: Shop, kind: Kind) -> str:
    attempt_id = shop.waiting(kind)
    shop.pays(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    return attempt_id


def _event_alone(shop: Shop, kind: Kind) -> Problems:
    """A flag is written, no step is; three contradictions make the one step that is allowed."""
    attempt_id = _paid(shop, kind)
    seq = shop.journal.seq
    problems = stays_paid(shop, attempt_id)
    fresh = [each.record for each in shop.journal.written[seq:] if each.record.subject == attempt_id]
    flagged = [each for each in fresh if each.attempt is not None and each.attempt.flags]
    paths = [each.path for each in fresh if each.path]
    if not flagged or flagged[0].path or paths not in ([], [(State.PAID, State.DISPUTED)]):
        problems.append(f"the journal says {[(each.kind, each.path) for each in fresh]}")
    return problems


def _stays_shown(shop: Shop, kind: Kind) -> Problems:
    """PAID stays on the screen, through older statuses for as long as it is asked about."""
    attempt_id = _paid(shop, kind)
    older = shop.dice.choice(("Merchant Initiated", "Verification Success", "Customer Approved"))
    shop.line.stays("status", changed("stale", merchantTxnStatusName=older))
    shop.wait(shop.dice.uniform(11, 90))
    screen = shop.screen(attempt_id)
    return screen.says("PAID") + demand(
        screen,
        (screen.state is State.PAID, "PAID did not stay"),
        (Flag.STATUS_REGRESSED in screen.attempt.flags, "no event"),
    )


def _disputed(shop: Shop, kind: Kind) -> str:
    attempt_id = shop.waiting(kind)
    shop.line.meets("status", other_amount(shop.dice.choice((1, 250))))
    shop.pays(attempt_id, shop.dice.choice(("Payment Success", "Verification Success")))
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.DISPUTED)
    return attempt_id


def _dispute_written(shop: Shop, kind: Kind) -> Problems:
    attempt_id = _disputed(shop, kind)
    found = [each.record for each in shop.journal.written if State.DISPUTED in each.record.path]
    kept = next(each for each in shop.journal.attempts() if each.attempt_id == attempt_id)
    problems = [] if len(found) == 1 and kept.reason is Reason.OTHER_AMOUNT else [f"the journal says {found}"]
    return problems + must.mismatch(shop.screen(attempt_id), "another amount")


def _dispute_stays(shop: Shop, kind: Kind) -> Problems:
    """Red until a person settles it, whatever comes after."""
    attempt_id = _disputed(shop, kind)
    shop.wait(shop.dice.uniform(1, 120))
    return must.mismatch(shop.screen(attempt_id), "another amount")


def _no_code(shop: Shop, _kind: Kind) -> Problems:
    """Y: said so, no code on the screen; it is cancelled and another comes by itself."""
    text = shop.dice.choice(("", "Q" * 3_000, None))
    shop.line.meets("initiate", changed("no code", qrEncryptedText=text))
    first = shop.charge(Kind.QR)
    shop.wait_for(lambda: shop.line.times("initiate"))
    problems = must.lost_code(shop.screen(first))
    shop.wait_for(lambda: len(shop.opened) > 1, 30)
    second = shop.opened[-1].attempt_id
    shop.wait_for(lambda: shop.attempt(second).shown)
    screen = shop.screen(second)
    problems += must.waiting(screen) + demand(screen, (screen.attempt.qr_showable, "no new code"))
    shop.pays(second)
    return problems


_STEPS: dict[tuple[int, str], Callable[[Shop, Kind], Problems]] = {
    (39, "J1"): _kept_as_text,
    (40, "J1"): _event_alone,
    (40, "D"): _stays_shown,
    (41, "J1"): _dispute_written,
    (41, "D"): _dispute_stays,
    (48, "D"): _no_code,
}
