"""D, on paper: disk, printer or till fail between the money and its receipt. PAID stands; no second original."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import AnswerPrint
from pos_app.domain.print_job import JobState, PrintJob, Why
from pos_app.domain.record import Record
from pos_app.domain.views import Block
from pos_app.i18n.words.printing import words
from tests.verification.matrix import at_crash
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_disk import fail, well_again
from tests.verification.matrix.behaviours import Problems
from tests.verification.matrix.cells import Case
from tests.verification.matrix.deeds import WHO
from tests.verification.matrix.shop import Restarted, Shop
from tests.verification.simulation.printer import PARTS
from tests.verification.simulation.story import CrashAt

_STEP_MS = 5
_ASKS = words.ASKS.of(1)


def without_disk(case: Case, dice: Random) -> Problems:
    """Rows 4 to 6: the money is written and nothing after it. What cannot be written first is not printed."""
    # Either the very next thing that is to be written is the SENDING, or the job has been held once before.
    shop = Shop(dice, printer=(*dice.choice(((), ("empty",))), "ok"))
    attempt_id = shop.waiting(case.kind or Kind.PUSH)
    first = (
        dice.choice(("PRINT_QUEUED", "PRINT_HELD")) if shop.story.printer[0] == "empty" else "PRINT_QUEUED"
    )
    _when_written(shop, first, lambda: fail(shop, case.row))
    shop.pays(attempt_id)
    shop.wait_for(lambda: shop.disk.trouble is not None)
    shop.wait(dice.uniform(2.5, 9))
    problems = must.receipt_pending(
        shop.screen(attempt_id), words.WAITS.format(why=words.why(Why.CANNOT_RECORD))
    )
    if shop.records("PRINT_SENDING") or shop.till.printer.papers:
        problems.append("it printed what it could not write first")
    well_again(shop, case.row)
    shop.wait(60)
    problems += _lies(shop, (0, PARTS)) + _is(shop, JobState.PRINTED)
    problems += _no_mark(shop)
    return problems + shop.end()


def at_the_printer(case: Case, dice: Random) -> Problems:
    """Row 52: a printer that cannot print, and one that dies in the middle."""
    return _held(case, Random(dice.random())) + _half(case, Random(dice.random()))


def _held(case: Case, dice: Random) -> Problems:
    """Tried again by itself, because no byte of it was sent; and comes out once."""
    mood, why = dice.choice((("empty", Why.PAPER_OUT), ("off", Why.NO_CONNECTION)))
    shop = Shop(dice, printer=(mood,) * dice.randrange(3, 6))
    attempt_id = _paid(shop, case)
    shop.wait_for(lambda: shop.records("PRINT_HELD"))
    problems = must.receipt_pending(shop.screen(attempt_id), words.WAITS.format(why=words.why(why)))
    problems += _is(shop, JobState.HELD) + _lies(shop)
    shop.wait(90)
    problems += _is(shop, JobState.PRINTED) + _lies(shop, (0, PARTS)) + _no_mark(shop)
    return problems + shop.end()


def _half(case: Case, dice: Random) -> Problems:
    """Nobody but a person can say what lies there; until then nothing more comes out."""
    shop = Shop(dice, printer=(dice.choice(("dies", "slow")),))
    attempt_id = _paid(shop, case)
    shop.wait_for(lambda: shop.records("PRINT_UNKNOWN"))
    shop.wait(dice.uniform(0, 120))
    problems = must.receipt_pending(shop.screen(attempt_id), _ASKS)
    problems += _is(shop, JobState.UNKNOWN) + _lies(shop, (0, PARTS // 2))
    return problems + _answered(shop, PARTS // 2) + shop.end()


def killed(case: Case, dice: Random) -> Problems:
    """Rows 1 to 3: as with any result, and while its receipt is being printed."""
    problems = at_crash.play(case, dice)
    before = case.row == 1 or (case.row == 3 and dice.random() < 0.5)
    return problems + (_before_sending if before else _while_sending)(case, dice)


def _while_sending(case: Case, dice: Random) -> Problems:
    """SENDING is written, and some of it lies on paper, or nothing yet."""
    shop = Shop(dice, printer=("ok",))
    attempt_id = _paid(shop, case)
    _until_written(shop, "PRINT_SENDING")
    shop.wait(dice.uniform(0, 0.1))
    parts = [each.parts for each in shop.till.printer.papers]
    shop.till.die(dice.choice((400, 2_000, 30_000)))
    shop.wait_for(lambda: shop.till.working and shop.screen().terminal.block is Block.NONE)
    shop.wait(dice.uniform(0, 120))
    problems = _is(shop, JobState.UNKNOWN, Why.TILL_STOPPED) + _lies(shop, *((0, each) for each in parts))
    problems += shop.screen().says(_ASKS)
    if shop.attempt(attempt_id).state is not State.PAID:
        problems.append(f"the payment is {shop.attempt(attempt_id).state}")
    return problems + _answered(shop, *parts) + shop.end()


def _before_sending(case: Case, dice: Random) -> Problems:
    """Nothing of it can have left: it comes out after the restart, and is the original."""
    seed = dice.randrange(1 << 30)
    first = Shop(Random(seed), printer=("ok",))
    _paid(first, case)
    first.wait(3)
    (effect,) = [effect for effect, what in first.marks if "PRINT_SENDING" in what]
    shop = Shop(Random(seed), printer=("ok",), crash=CrashAt(effect, False, off=2_000))
    try:
        _paid(shop, case)
        shop.wait(3)
    except Restarted:
        pass
    else:
        return ["it did not die"]
    problems = _lies(shop)
    shop.wait_for(lambda: shop.till.printer.papers)
    shop.wait(3)
    return problems + _is(shop, JobState.PRINTED) + _lies(shop, (0, PARTS)) + shop.end()


def _paid(shop: Shop, case: Case) -> str:
    attempt_id = shop.waiting(case.kind or Kind.PUSH)
    shop.pays(attempt_id)
    _until_written(shop, "PRINT_QUEUED")
    return attempt_id


def _until_written(shop: Shop, kind: str) -> None:
    """To the moment: a print is over in a tenth of a second."""
    end = shop.world.now + 60_000
    while not shop.records(kind):
        assert shop.world.now < end, f"no {kind}"
        shop.until(shop.world.now + _STEP_MS)


def _when_written(shop: Shop, kind: str, what: Callable[[], None]) -> None:
    """Right after the commit that holds this event, before anything else can be written."""
    before = shop.disk.noted

    def noted(records: Sequence[Record]) -> None:
        before(records)
        if any(record.kind == kind for record in records):
            what()

    shop.disk.noted = noted


def _answered(shop: Shop, *parts: int) -> Problems:
    """A person looks: it is there, or it is printed again, which is a copy."""
    seen = shop.dice.random() < 0.5
    shop.till.tell(AnswerPrint(request_id="answer", number=1, seen=seen, who=WHO))
    shop.wait(5)
    papers = [*((0, each) for each in parts), *(() if seen else ((1, PARTS),))]
    return _lies(shop, *papers) + _is(shop, JobState.PRINTED if seen else JobState.LEFT) + _no_mark(shop)


def _job(shop: Shop) -> PrintJob:
    job = shop.journal.print_job(1)
    assert job is not None
    return job


def _is(shop: Shop, state: JobState, why: Why | None = None) -> Problems:
    job = _job(shop)
    if job.state is not state or (why is not None and job.why is not why):
        return [f"the job is {job.state} {job.why}, not {state} {why or ''}"]
    return []


def _lies(shop: Shop, *papers: tuple[int, int]) -> Problems:
    """What lies on paper: (which copy, how many parts of it) of each."""
    found = [(each.copy, each.parts) for each in shop.till.printer.papers]
    return [] if found == [*papers] else [f"on paper lie {found}, not {[*papers]}"]


def _no_mark(shop: Shop) -> Problems:
    said = words.mark(shop.screen().terminal.printing)
    return [f"it still says {said!r}"] if said else []
