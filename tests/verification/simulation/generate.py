"""From a seed to a story: even seeds are an ordinary shop, odd ones heavy weather. Fault rates differ by seed.

In one of eight ordinary shops, and one in twenty of heavy weather, people sign in; in as many more somebody guesses
passcodes there and takes rows out of the journal. In one in five of heavy weather somebody handles the data folder
(folders.py). One in twenty has somebody who wants more codes by SMS than there are, also by other folders. In two of
five somebody closes days, and in heavy weather the till dies at it. In every third money back is noted.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random

from msgspec.structs import replace

from pos_app.domain.attempt import Kind
from tests.verification.simulation import faults
from tests.verification.simulation.folders import FOLDERS, handled
from tests.verification.simulation.gateway import APPROVED, FAILED, REJECTED, SCAN_FAILED, SCANNED, SUCCESS
from tests.verification.simulation.losing import WAYS
from tests.verification.simulation.owner import SHOPS
from tests.verification.simulation.staffing import guessed, staffed
from tests.verification.simulation.story import Act, CrashAt, Customer, FaultAt, SalePlan, Story, Window

SECOND = 1_000
MINUTE = 60_000
HOUR = 60 * MINUTE
LATER = 16 * MINUTE
STORES = 9
"""In one story of so many the tills tell a store."""
MOODS = ("ok", "ok", "silent", "empty", "off", "dies", "slow")
SALES = (1, 1, 1, 1, 2, 3)
"""Of one story: what goes wrong seldom takes more than one, and many short stories meet more than few long ones."""

AMOUNTS = tuple(map(Decimal, ("12.50", "12.50", "7.00", "199.99", "0.01", "250000.00")))
NUMBERS = ("+94771234567", "+94777654321", "+94712223334")
REFUSED = ("5003", "5004", "5005", "5010", "5013", "5001", "5002", "5008", "5011", "5012", "5015")
VERBS = ("cancel", "cancel", "close", "park", "check", "leave", "another", "another", "continue", "complete")
MONEY_VERBS = ("complete", "refund", "not_paid", "paid")


def story_of(seed: int) -> Story:
    """The story of a seed."""
    story = _story_of(seed)
    if seed % 5 in (1, 2):
        story = with_days(story, Random(-seed - 2), dies=seed % 2 == 1)
    if seed % 12 in (5, 8):
        story = with_updates(story, Random(-seed - 4))
    if seed % 4 == 1 or (story.staffed and seed % 40 != 39):
        story = with_printer(story, Random(-seed - 3))
    if story.staffed and seed % 3 == 0:
        story = replace(story, cashiers_close=True)
    if seed % 3 == 1:
        story = with_notes(story, Random(-seed - 4))
    return with_store(story, Random(-seed - 5)) if seed % STORES == 4 else story


def _story_of(seed: int) -> Story:
    if seed % 2 == 0:
        ordinary = _ordinary(Random(seed))
        return staffed(ordinary, Random(-seed)) if seed % 16 == 0 else ordinary
    if seed % 40 == 31:
        return _at_the_desk(Random(seed))
    story = _heavy(Random(seed))
    if seed % 40 in FOLDERS:
        return handled(story, Random(-seed))
    if seed % 40 == 11:
        return staffed(story, Random(-seed))
    if seed % 40 == 39:
        return guessed(staffed(story, Random(-seed)), Random(-seed - 1))
    return _with_night(story, Random(-seed)) if seed % 40 == 21 else story


def with_days(story: Story, dice: Random, *, dies: bool) -> Story:
    """Somebody reads what was taken and closes the day in the middle of it all, also twice."""
    span = max(story.stop_at, MINUTE)
    acts = []
    for till in range(story.tills):
        for _ in range(dice.choice((1, 1, 2, 3))):
            acts.append(Act(dice.randrange(2 * SECOND, span), "close_day", till, value=dice.randrange(16)))
        if dice.random() < 0.5:
            acts.append(Act(dice.randrange(span), "read_x", till, value=dice.randrange(3)))
    dead = [
        Act(each.at + dice.choice((0, 1, 50, 400, 3_000)), "power_cut", each.till, value=_off(dice))
        for each in acts
        if dies and each.verb == "close_day" and dice.random() < 0.25
    ]
    return replace(story, acts=(*story.acts, *acts, *dead), stop_at=span)


def with_updates(story: Story, dice: Random) -> Story:
    """Somebody updates in the middle of it, or asks and leaves, and a manager puts it off; the power goes then, too."""
    span = max(story.stop_at, MINUTE)
    acts = []
    for till in range(story.tills):
        for _ in range(dice.choice((1, 2, 3))):
            at = dice.randrange(2 * SECOND, span)
            wait = dice.choice((0, SECOND, 10 * SECOND, MINUTE, 3 * MINUTE, 3 * MINUTE))
            acts.append(Act(at, "update", till, value=4 * wait + dice.randrange(4)))
            for verb, chance in (("leave_update", 0.15), ("put_off", 0.1)):
                if dice.random() < chance:
                    acts.append(Act(at + dice.randrange(MINUTE), verb, till))
            if dice.random() < 0.15:
                acts.append(Act(at + dice.choice((0, 1, 400, 5_000)), "power_cut", till, value=_off(dice)))
    stop_at = max([span, *(act.at + SECOND for act in acts)])
    return replace(story, acts=(*story.acts, *acts), stop_at=stop_at)


def with_printer(story: Story, dice: Random) -> Story:
    """A printer with its moods; somebody wants a receipt again, goes to look, and the power goes while it prints."""
    moods = tuple(dice.choice(MOODS) for _ in range(dice.randrange(6)))
    span, acts = max(story.stop_at, MINUTE), []
    for place, plan in enumerate(story.sales):
        if dice.random() < 0.5:
            verb = dice.choice(("print", "print", "approve_print")) if story.staffed else "print"
            at = plan.at + dice.randrange(span)
            if story.staffed and dice.random() < 0.2:
                # Who comes back later than a copy is theirs to ask for.
                at += LATER
                acts.append(Act(at - SECOND, "come", plan.till, value=dice.randrange(3)))
            acts.append(Act(at, verb, plan.till, place, dice.randrange(6)))
    for till in range(story.tills):
        for _ in range(dice.randrange(3)):
            acts.append(Act(dice.randrange(2 * SECOND, span), "look", till, value=dice.randrange(4)))
        if story.staffed:
            acts.append(Act(dice.randrange(2 * SECOND, span), "print_z", till, value=1))
    stop_at = max([story.stop_at, *(act.at + SECOND for act in acts if story.staffed)])
    return replace(story, acts=(*story.acts, *acts), printer=("ok", *moods), stop_at=stop_at)


def with_notes(story: Story, dice: Random) -> Story:
    """Money back is noted, given and withdrawn, also of what is not paid, twice, and behind the end of the weather."""
    span, acts = max(story.stop_at, MINUTE), []
    for place, plan in enumerate(story.sales):
        for _ in range(dice.choice((1, 2, 3))):
            verb = dice.choice(("note", "note", "approve_note")) if story.staffed else "note"
            acts.append(Act(plan.at + dice.randrange(span), verb, plan.till, place, dice.randrange(8)))
        if dice.random() < 0.4:
            acts.append(Act(plan.at + dice.randrange(span), "refund", plan.till, place))
    for till in range(story.tills):
        for _ in range(dice.randrange(3)):
            verb = dice.choice(("give", "withdraw"))
            acts.append(Act(dice.randrange(2 * SECOND, 2 * span), verb, till, value=dice.randrange(4)))
    return replace(story, acts=(*story.acts, *acts))


def with_store(story: Story, dice: Random) -> Story:
    """A store that all tills tell: lost for minutes or from beginning to end, late, torn, put back, a liar."""
    span, acts = max(story.stop_at, MINUTE), []
    for verb, chance in (("store_lost", 0.5), ("store_late", 0.4), ("store_twice", 0.3), ("store_lies", 0.2)):
        if dice.random() < chance:
            at = dice.randrange(span)
            long = dice.choice((2 * SECOND, 20 * SECOND, MINUTE, span))
            acts.append(Act(at, verb, value=min(long, span - at)))
    for _ in range(dice.randrange(3)):
        acts.append(Act(0, "store_torn", value=dice.randrange(1, 12)))
    if dice.random() < 0.3:
        taken = dice.randrange(span)
        acts.append(Act(taken, "store_backup"))
        acts.append(Act(dice.randrange(taken, span), "store_put_back"))
    if dice.random() < 0.1:
        acts.append(Act(dice.randrange(span), "store_revokes", dice.randrange(story.tills)))
    for verb, often in (("store_look", (1, 2, 4)), ("store_sign", (1, 2, 4))):
        for _ in range(dice.choice(often)):
            acts.append(Act(dice.randrange(span), verb, dice.choice(SHOPS), value=dice.randrange(3)))
    if dice.random() < 0.15:
        # Away for so long that an owner has to be told who is missing.
        at, long = dice.randrange(span), dice.choice((4, 20)) * MINUTE
        acts.append(Act(at, "store_lost", value=long))
        acts += [Act(at + long - 1, "store_look", shop) for shop in SHOPS]
        span = max(span, at + long)
    if dice.random() < 0.3:
        at = dice.randrange(span)
        acts.append(
            Act(at, "store_away", value=min(dice.choice((2 * SECOND, 20 * SECOND, MINUTE)), span - at))
        )
    lost = [each.at + each.value for each in acts if each.verb == "store_lost" and each.value > MINUTE]
    # It is tried again each five minutes then, and the store may die in two of those tries.
    span = max([span, *(end + 3 * 5 * MINUTE for end in lost)])
    return replace(story, acts=(*story.acts, *acts), store=True, stop_at=span)


def _with_night(story: Story, dice: Random) -> Story:
    """A till is off for hours; when it starts again it is another day, for it and for what it left open."""
    night = dice.choice((20 * MINUTE, 2 * HOUR, 11 * HOUR, 8 * 24 * HOUR))
    at = dice.randrange(story.stop_at)
    off = Act(at, "power_cut", dice.randrange(story.tills), value=night)
    return replace(story, acts=(*story.acts, off), stop_at=at + night + MINUTE)


def _latencies(dice: Random) -> tuple[int, ...]:
    slow = dice.random() < 0.1
    return tuple(int(dice.lognormvariate(5.2 + slow, 0.6)) + 20 for _ in range(32))


def _pays(dice: Random, kind: Kind) -> Customer:
    wait = int(dice.lognormvariate(dice.choice((7.5, 8.3, 9.2)), 0.7))
    if kind is Kind.QR:
        return Customer(((wait, SCANNED), (dice.randrange(500, 6_000), SUCCESS)))
    if dice.random() < 0.5:
        return Customer(((wait, APPROVED), (dice.randrange(300, 3_000), SUCCESS)))
    return Customer(((wait, SUCCESS),))


def _ordinary(dice: Random) -> Story:
    """Customers who mostly pay, a line that mostly answers."""
    count = dice.choice(SALES)
    sales, acts = [], []
    for place in range(count):
        kind = dice.choice((Kind.PUSH, Kind.QR))
        at = SECOND + place * dice.randrange(20 * SECOND, 90 * SECOND)
        mood = dice.random()
        first = _pays(dice, kind)
        if mood < 0.03:
            first = Customer(((dice.randrange(5_000, 40_000), dice.choice((REJECTED, FAILED))),))
        elif mood < 0.05:
            first = Customer(refused=dice.choice(REFUSED))
        elif mood < 0.08:
            first = Customer()
            acts.append(Act(at + dice.randrange(40_000, 100_000), "cancel", sale=place))
        elif mood < 0.1 and kind is Kind.QR:
            first = Customer(((8_000, SCAN_FAILED), (6_000, SCANNED), (2_000, SUCCESS)))
        customers = (first, _pays(dice, kind))
        acts.append(Act(at + 90 * SECOND, "lose_patience", sale=place))
        number = dice.choice(NUMBERS) if kind is Kind.PUSH else ""
        sales.append(
            SalePlan(
                at=at,
                kind=kind,
                amount=dice.choice(AMOUNTS),
                customers=customers,
                number=number,
                retries=int(mood < 0.05),
                insists=True,
            )
        )
    rate = 0.01 if dice.random() < 0.5 else 0.003
    mild = ("lost", "reply_lost", "reset", "late", "http", "slow_down", "slow", "no_connection", "stale")
    return Story(
        sales=tuple(sales),
        acts=tuple(acts),
        faults=_faults(dice, 1, rate, mild),
        stop_at=max(plan.at for plan in sales) + 3 * MINUTE,
        latencies=_latencies(dice),
    )


def _value(dice: Random, fault: str) -> int:
    if fault in ("late", "twice", "twice_second", "slow"):
        return dice.choice((500, 2_000, 6_000, 20_000, 45_000, 90_000, 200_000, 400_000))
    return dice.randrange(1 << 16)


def _faults(dice: Random, tills: int, rate: float, kinds: tuple[str, ...]) -> tuple[FaultAt, ...]:
    found: list[FaultAt] = []
    for till in range(tills):
        call = 0
        while rate > 0 and len(found) < 60:
            call += 1 + int(dice.expovariate(rate))
            if call > 150:
                break
            fault = dice.choice(kinds)
            found.append(FaultAt(till, call, fault, _value(dice, fault)))
    return tuple(found)


def _heavy(dice: Random) -> Story:
    """Everything at once, in amounts that differ from seed to seed."""
    tills = dice.choice((1, 1, 1, 1, 2, 3))
    e1, e2, e3 = (dice.random() > 0.05 for _ in range(3))
    span = dice.choice((MINUTE, MINUTE, MINUTE, 2 * MINUTE, 2 * MINUTE, 5 * MINUTE, 8 * MINUTE))
    sales = [_heavy_sale(dice, span, tills) for _ in range(dice.choice(SALES))]
    kinds = tuple(dice.sample(faults.KINDS, dice.randrange(1, len(faults.KINDS))))
    if not (e1 and e2 and e3) and dice.random() < 0.5:
        kinds = (*kinds, "final_flips")
    rate = dice.choice((0.0, 0.05, 0.1, 0.3, 0.5, 0.7))
    crashes = dice.choice((0, 0, 1, 2, 4))
    return Story(
        sales=tuple(sales),
        acts=_acts(dice, sales, span, tills),
        faults=_faults(dice, tills, rate, kinds),
        windows=_windows(dice, span, tills, kinds),
        crashes=tuple(
            CrashAt(dice.randrange(1, 60), dice.random() < 0.5, dice.randrange(tills), _off(dice))
            for _ in range(crashes)
        ),
        tills=tills,
        stop_at=span,
        latencies=_latencies(dice),
        after_restart=tuple(dice.choice(("wait", "continue", "close")) for _ in range(3)),
        summer_time_ends=dice.randrange(span) if dice.random() < 0.1 else None,
        e1=e1,
        e2=e2,
        e3=e3,
        live=dice.random() < 0.1,
    )


def _off(dice: Random) -> int:
    return dice.choice((500, 2_000, 10_000, 40_000, 120_000))


def _heavy_sale(dice: Random, span: int, tills: int) -> SalePlan:
    kind = dice.choice((Kind.PUSH, Kind.QR))
    return SalePlan(
        at=dice.randrange(SECOND, max(span // 2, 2 * SECOND)),
        till=dice.randrange(tills),
        kind=kind,
        amount=dice.choice(AMOUNTS),
        customers=tuple(_heavy_customer(dice, kind) for _ in range(dice.randrange(1, 4))),
        number=dice.choice(NUMBERS),
        retries=dice.randrange(4),
        give_up_s=dice.choice((None, 20.0, 20.0, 60.0)),
        insists=dice.random() < 0.7,
    )


def _heavy_customer(dice: Random, kind: Kind) -> Customer:
    if dice.random() < 0.1:
        return Customer(refused=dice.choice(REFUSED))
    steps: list[tuple[int, str]] = []
    while dice.random() < 0.3:
        steps.append((_delay(dice), SCAN_FAILED if kind is Kind.QR else APPROVED))
    if dice.random() < 0.5:
        steps.append((_delay(dice), SCANNED if kind is Kind.QR else APPROVED))
    if dice.random() < 0.85:
        steps.append((_delay(dice), dice.choice((SUCCESS, SUCCESS, SUCCESS, FAILED, REJECTED))))
    if dice.random() < 0.1:
        steps.append((_delay(dice), SUCCESS))
    return Customer(tuple(steps))


def _delay(dice: Random) -> int:
    return int(dice.lognormvariate(dice.choice((7.0, 7.5, 8.5, 9.5, 11.0)), 0.8))


def _acts(dice: Random, sales: list[SalePlan], span: int, tills: int) -> tuple[Act, ...]:
    acts = []
    for place, plan in enumerate(sales):
        for _ in range(dice.choice((0, 1, 2, 4))):
            at = plan.at + int(dice.lognormvariate(9.5, 1.2))
            acts.append(Act(at, dice.choice(VERBS), plan.till, place, dice.randrange(4)))
    for till in range(tills):
        if dice.random() < 0.2:
            acts.append(Act(dice.randrange(span), "power_cut", till, value=_off(dice)))
        if dice.random() < 0.15:
            jump = dice.choice((-24 * HOUR, -HOUR, -MINUTE, MINUTE, HOUR))
            acts.append(Act(dice.randrange(span), "push_clock", till, value=jump))
        if dice.random() < 0.1:
            acts += _signing_in(dice, span, till, len(sales))
    return tuple(acts)


def _at_the_desk(dice: Random) -> Story:
    """Somebody who wants more codes than the limit, and who can set the clock and reach the plug."""
    span = dice.choice((5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 40 * MINUTE))
    acts = [Act(dice.randrange(10 * SECOND), "enrol", value=dice.randrange(2))]
    acts += [Act(dice.randrange(span), "send_code") for _ in range(dice.randrange(4, 16))]
    for _ in range(dice.randrange(4)):
        acts.append(Act(dice.randrange(span), "power_cut", value=dice.choice((500, 2_000, 15_000, 120_000))))
    for _ in range(dice.randrange(3)):
        jump = dice.choice((-HOUR, MINUTE, 20 * MINUTE, HOUR, 25 * HOUR))
        acts.append(Act(dice.randrange(span), "push_clock", value=jump))
    kinds = tuple(dice.sample(faults.KINDS, 4))
    rate = dice.choice((0.0, 0.1, 0.5))
    is_live = dice.random() < 0.5
    if is_live:
        acts += _other_folders(dice, span)
    return Story(
        sales=(),
        live=is_live,
        acts=tuple(sorted(acts, key=lambda act: act.at)),
        faults=_faults(dice, 1, rate, kinds),
        stop_at=span,
        latencies=_latencies(dice),
    )


def _other_folders(dice: Random, span: int) -> list[Act]:
    """Their codes are real, and whoever wants more gives the till another folder, or its old one."""
    acts = [Act(dice.randrange(span // 2), "copy")]
    for _ in range(dice.randrange(4)):
        at = dice.randrange(span)
        how = dice.choice(
            (Act(at, "put_back", value=3_000), Act(at, "lose", value=dice.randrange(4 * len(WAYS))))
        )
        acts += [how, Act(at + 10_000, "enrol"), Act(at + dice.randrange(20_000, 90_000), "send_code")]
    return acts


def _signing_in(dice: Random, span: int, till: int, sales: int) -> list[Act]:
    acts = [Act(dice.randrange(span // 2), "enrol", till, value=dice.randrange(2))]
    acts += [Act(dice.randrange(span), dice.choice(("send_code", "enrol")), till) for _ in range(12)]
    for _ in range(dice.randrange(3)):
        verb = dice.choice(MONEY_VERBS)
        acts.append(Act(span // 2 + dice.randrange(span), verb, till, dice.randrange(sales)))
    return acts


def _windows(dice: Random, span: int, tills: int, kinds: tuple[str, ...]) -> tuple[Window, ...]:
    windows = []
    for till in range(tills):
        if dice.random() < 0.3:
            fault = dice.choice((*kinds, "no_connection", "lost", "sign_in", "forbidden", "reply_lost"))
            at = dice.randrange(span)
            windows.append(Window(at, at + _off(dice), fault, till, _value(dice, fault)))
        if dice.random() < 0.1:
            at = dice.randrange(span)
            windows.append(Window(at, at + _off(dice), dice.choice(("disk_full", "disk_unreadable")), till))
    return tuple(windows)
