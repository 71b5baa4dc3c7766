"""`pos-app first-manager NAME NUMBER`: the machine's administrator makes the first manager, where there is none."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Callable

from pos_app.bootstrap.errors import CommandError, Exit, number_problem
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import note
from pos_app.bootstrap.shop import Shop, settings_ahead
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.headless_till import NO_ANSWER, Run
from pos_app.cli.parser import private
from pos_app.cli.printer import Printer, printer_of
from pos_app.domain.commands import EnrolFirst, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.people import LONGEST_NAME, Role, is_same_name
from pos_app.domain.phone import NumberError, mask_number, parse_number
from pos_app.domain.text import is_plain
from pos_app.domain.views import Block, Published, SignIn, SignInStep, Terminal
from pos_app.engine.core.mailbox import Message
from pos_app.i18n.words.sign_in import words

_NO_SERVICE = frozenset(
    {
        OtpProblem.SIGN_IN_REFUSED,
        OtpProblem.SERVICE_BUSY,
        OtpProblem.SERVICE_DOWN,
        OtpProblem.NO_CONNECTION,
        OtpProblem.NOT_PROVEN,
        OtpProblem.NOT_SENT_FOR_SURE,
        OtpProblem.NOT_CHECKED,
    }
)
_UNRECORDED = frozenset(block for block in Block if block.unrecorded)
"""Nobody is made who is in no record, and nobody waits here until one can be written."""
_LONGEST_LINE = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who it is to be."""
    parser.add_argument(
        "name", metavar="NAME", help=f"as it stands on the list, up to {LONGEST_NAME} letters"
    )
    parser.add_argument("number", type=private, metavar="NUMBER", help="- reads it from input")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when somebody is the manager now, 1 when not, 2 where there is a manager, 69 without an answer."""
    name = " ".join(arguments.name.split())
    if not 0 < len(name) <= LONGEST_NAME or not is_plain(name):
        raise CommandError(Exit.USAGE, "NAME: enter a name of 1 to 40 letters, for example Nimali Perera")
    country = settings_ahead(options).shop.country
    try:
        number = parse_number(arguments.number, country)
    except NumberError as error:
        raise CommandError(Exit.USAGE, f"NUMBER: {number_problem(error, country)}") from error
    with shop_at_work(options) as shop:
        people = shop.journal.people() if shop.journal is not None else []
        managers = [each.name for each in people if each.may_manage]
        if managers:
            raise CommandError(Exit.USAGE, f"{managers[0]} is a manager: they enrol others at the till")
        _see_that_nobody_is(name, number, shop)
        enrolling = _Enrolling(name, number, printer_of(options, goes_on=True))
        return int(Run(shop, enrolling, needs_ready=False, ends_at=_UNRECORDED | NO_ANSWER).run())


def _see_that_nobody_is(name: str, number: str, shop: Shop) -> None:
    """A list that has lost its managers may have its cashiers still. Raises CommandError."""
    people = shop.journal.people() if shop.journal is not None else []
    named = next((each for each in people if is_same_name(each.name, name)), None)
    if named is not None:
        said = f"{named.name} is on the list already, and no manager"
        raise CommandError(Exit.USAGE, f"NAME: {said}: enter another, for example Nimali P.")
    digest = shop.journal.digest(number) if people and shop.journal is not None else ""
    owner = next((each for each in people if each.enabled and each.number_digest == digest), None)
    if owner is not None:
        said = f"{owner.name}, who is on the list already, has {mask_number(number)}"
        raise CommandError(Exit.USAGE, f"NUMBER: {said}: enter another one, on which a code by SMS comes")


class _Enrolling:
    """Asks for the code that was sent; the list has them as soon as it is right. They choose a passcode at the till."""

    def __init__(self, name: str, number: str, printer: Printer) -> None:
        self._command = EnrolFirst(name, number)
        self._printer = printer
        self._known = False

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post = post
        self._end = end

    def ready(self) -> None:
        """Nothing is sold."""

    def take(self, published: Published) -> None:
        """The list first, then the steps of the proof."""
        if isinstance(published, Terminal) and not self._known and published.block not in _UNRECORDED:
            # The journal has been taken up: until then nobody can be the first.
            self._known = True
            self._post(self._command)
        elif isinstance(published, SignIn):
            self._step(published)

    def _step(self, seen: SignIn) -> None:
        wait_s = None if seen.wait_s is None else max(1, round(seen.wait_s))
        problem = words.problem(OtpProblem(seen.problem), seen.tries_left, wait_s) if seen.problem else ""
        match seen.step:
            case SignInStep.CODE_SENT:
                note(problem or f"a code was sent to {seen.number_mask}; type it, then Enter")
                threading.Thread(target=self._read, args=(seen.person_id,), daemon=True).start()
            case SignInStep.CHOOSE_PASSCODE | SignInStep.SIGNED_IN:
                name, mask = self._command.name, mask_number(self._command.number)
                said = {"person_id": seen.person_id, "name": name, "number": mask, "role": Role.MANAGER.value}
                self._printer.value(
                    said, f"{name} is the manager now; a code by SMS to {mask} signs in at the till"
                )
                self._end(Exit.OK)
            case SignInStep.REFUSED:
                note(problem)
                self._end(Exit.UNAVAILABLE if OtpProblem(seen.problem) in _NO_SERVICE else Exit.NOT_PAID)

    def _read(self, person_id: str) -> None:
        """A line of input, on a thread that nobody waits for: the till works on, and its end does not."""
        try:
            # Not by sys.stdin: what is in the middle of reading from that keeps the process from ending.
            typed = os.read(sys.stdin.fileno(), _LONGEST_LINE).decode("ascii", "replace")
        except (OSError, ValueError, AttributeError):
            typed = ""
        if typed:
            self._post(SubmitOtp(person_id, typed.strip()))
        else:
            note("no code was typed; nothing was changed")
            self._end(Exit.NOT_PAID)

    def interrupted(self) -> None:
        """Nothing was changed."""
        self._end(Exit.NOT_PAID)
