"""An attacker's evening from a seed: which deeds in which order, done to a till and told to the oracle."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from pos_app.domain.commands import SendOtp, SignOut, SubmitOtp
from pos_app.domain.passcode import ENDS_A_ROW, problem_of_choice, subject_of
from pos_app.domain.phone import msisdn
from pos_app.domain.replies import NoAnswer, OtpRefusal, OtpRefused, OtpSent, OtpSubmitReply, OtpVerified, Why
from pos_app.domain.rights import Act
from pos_app.domain.secret import Secret
from pos_app.domain.staff import Approve, ChoosePasscode, EnterPasscode, Lock, Permit
from pos_app.domain.views import SignInStep
from pos_app.engine.connection.calls import (
    OtpSendAnswered,
    OtpSubmitAnswered,
    PasscodeChecked,
    PasscodeHashed,
)
from tests.verification.campaign.guessing.oracle import Oracle
from tests.verification.campaign.guessing.victim import PEOPLE, Victim

WRONG = Secret("111122")
WAITS_S = (1, 4, 11, 29, 61, 301, 901, 3_601, 86_401)
SETTINGS_MS = (-(10**10), -86_400_000, -3_600_000, 3_600_000, 86_400_000, 10**10)
NOT_VERIFIED: tuple[OtpSubmitReply, ...] = (
    OtpRefused(OtpRefusal.WRONG_PIN, 200),
    OtpRefused(OtpRefusal.INTERNAL, 500),
    NoAnswer(Why.TIME_OUT, sent=True),
)
DEEDS = {
    "guess": 8,
    "guess_patiently": 8,
    "guess_beside": 4,
    "right": 2,
    "by_sms": 2,
    "send": 4,
    "guess_code": 3,
    "guess_codes": 3,
    "wait": 8,
    "kill": 4,
    "reboot": 1,
    "set_clock": 3,
    "tell_time": 2,
    "lock": 2,
    "leave": 1,
    "lay": 4,
}


class Attack:
    """One evening. `done` is what was done, to be read when something is found."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._random = Random(seed)
        self.victim = Victim(folder)
        self.oracle = Oracle()
        self.done: list[str] = []
        self._passcodes: dict[str, Secret] = {}
        self._owners_come = self._random.random() < 0.3
        self._chosen = 0
        self._references = 0
        self._rows_ended: dict[str, int] = dict.fromkeys(PEOPLE, 0)

    def run(self, deeds: int) -> list[str]:
        """What the oracle found; stops at the first."""
        try:
            for person_id in PEOPLE:
                self.by_sms(person_id)
            for _ in range(deeds):
                name = self._random.choices([*DEEDS], [*DEEDS.values()])[0]
                self.done.append(name)
                getattr(self, name)(self._random.choice([*PEOPLE]))
                if self.oracle.wrong:
                    break
            return self.oracle.wrong
        finally:
            self.victim.close()

    def _notice_what_is_forgiven(self, person_id: str, *, rightly: bool) -> None:
        """Only what its owner did may end a row of wrong ones."""
        kinds = [event.kind for event in self.victim.events_of(subject_of(person_id))]
        ended = sum(kind in ENDS_A_ROW for kind in kinds)
        if ended > self._rows_ended[person_id]:
            self._rows_ended[person_id] = ended
            self.oracle.forgiven(person_id)
            if not rightly:
                self.oracle.wrong.append(f"a guess ended the row of {person_id}")

    def guess(self, person_id: str) -> None:
        """At the lock or the names."""
        self.victim.tell(EnterPasscode(person_id, WRONG))
        self._looks(person_id)

    def guess_patiently(self, person_id: str) -> None:
        """After the longest wait there is."""
        self.victim.wait(301)
        self.guess(person_id)

    def guess_beside(self, person_id: str) -> None:
        """As a manager's approval."""
        permit = Permit(request_id="p", act=Act.DIAGNOSTICS, reason="because")
        self.victim.tell(
            Approve(request_id="a", command=permit, manager_id=person_id, passcode=WRONG, reason="because")
        )
        self._looks(person_id)

    def _looks(self, person_id: str) -> None:
        call = self._next("check passcode")
        if call is not None:
            self.oracle.looked(person_id, self.victim.clock.true)
            if self._random.random() < 0.3:
                self.victim.kill()
            else:
                self.victim.tell(PasscodeChecked(call[1], call[2]))
        self._notice_what_is_forgiven(person_id, rightly=False)

    def _next(self, name: str) -> tuple[Any, ...] | None:
        made = self.victim.rig.calls.made
        call = next((each for each in made if each[0] == name), None)
        if call is not None:
            made.remove(call)
        return call

    def right(self, person_id: str) -> None:
        """Its owner comes by, on some evenings."""
        passcode = self._passcodes.get(person_id)
        if passcode is None or not self._owners_come:
            return
        self.victim.tell(EnterPasscode(person_id, passcode))
        call = self._next("check passcode")
        if call is not None:
            self.victim.tell(PasscodeChecked(call[1], call[2]))
        self._notice_what_is_forgiven(person_id, rightly=True)

    def by_sms(self, person_id: str) -> None:
        """Its owner signs in by a code, and chooses a passcode where one is asked for."""
        ref = self.send(person_id)
        if not ref:
            return
        self.victim.tell(SubmitOtp(person_id, "246810"))
        call = self._next("submit otp")
        if call is None:
            return
        self.oracle.tried(call[2])
        verified = OtpVerified(call[2], msisdn(PEOPLE[person_id]))
        self.victim.tell(OtpSubmitAnswered(call[1], call[2], verified))
        if self._step() is SignInStep.CHOOSE_PASSCODE:
            self._choose(person_id)

    def _choose(self, person_id: str) -> None:
        passcode = self._fresh()
        self.victim.tell(ChoosePasscode(passcode))
        call = self._next("hash passcode")
        if call is not None:
            self.victim.tell(PasscodeHashed(call[1], None if call[3] else call[2], same=call[3]))
        self._notice_what_is_forgiven(person_id, rightly=True)
        if self._is_theirs(person_id, passcode):
            self._passcodes[person_id] = passcode

    def _is_theirs(self, person_id: str, passcode: Secret) -> bool:
        return self.victim.rig.journal.unsealed(subject_of(person_id)) == passcode.reveal().encode()

    def _fresh(self) -> Secret:
        while True:
            self._chosen += 1
            text = f"{(704_918 + 91_193 * self._chosen) % 1_000_000:06d}"
            if not problem_of_choice(text) and text != WRONG.reveal():
                return Secret(text)

    def _step(self) -> SignInStep | None:
        shown = [each for each in self.victim.rig.shown if type(each).__name__ == "SignIn"]
        return self.victim.rig.dialog.step if shown else None

    def send(self, person_id: str) -> str:
        """A code is asked for; whatever becomes of it, a message that left has left."""
        self.victim.tell(SendOtp(person_id))
        call = self._next("send otp")
        if call is None:
            return ""
        self.oracle.sent(call[2], self.victim.clock.true)
        self._references += 1
        ref = f"{self._references:032x}"
        lost = self._random.random() < 0.2
        reply = NoAnswer(Why.TIME_OUT, sent=True) if lost else OtpSent(ref, call[2])
        self.victim.tell(OtpSendAnswered(call[1], reply))
        return "" if lost else ref

    def guess_code(self, person_id: str) -> None:
        """Six digits, any."""
        self.victim.tell(SubmitOtp(person_id, "000000"))
        call = self._next("submit otp")
        if call is not None:
            self.oracle.tried(call[2])
            reply = self._random.choice(NOT_VERIFIED)
            self.victim.tell(OtpSubmitAnswered(call[1], call[2], reply))

    def guess_codes(self, person_id: str) -> None:
        """One after the other, as fast as they can be typed."""
        if self.send(person_id):
            for _ in range(8):
                self.guess_code(person_id)

    def wait(self, _: str) -> None:
        """Until the till looks again."""
        self.victim.wait(self._random.choice(WAITS_S))

    def kill(self, _: str) -> None:
        """At rest; off for a while."""
        self.victim.kill(self._random.choice(WAITS_S) * 1000)

    def reboot(self, _: str) -> None:
        """The whole machine."""
        self.victim.kill(self._random.choice(WAITS_S) * 1000, reboot=True)

    def set_clock(self, _: str) -> None:
        """Holds from the next start on."""
        self.victim.clock.set_by = self._random.choice(SETTINGS_MS)
        self.victim.kill()

    def tell_time(self, _: str) -> None:
        """A reply carries the service's time."""
        self.victim.clock.service_told = True

    def lock(self, _: str) -> None:
        """F9."""
        self.victim.tell(Lock())

    def leave(self, _: str) -> None:
        """Whoever is signed in."""
        self.victim.tell(SignOut())

    def lay(self, _: str) -> None:
        """The process will die at one of its next commits."""
        self.victim.lay(self._random.randint(1, 5), after=self._random.random() < 0.5)


Prepare = Callable[[Attack], None]


def evening(seed: int, deeds: int = 250, prepare: Prepare | None = None) -> Attack:
    """One attack on a journal of its own; its findings are in its oracle."""
    with tempfile.TemporaryDirectory(prefix="guessing") as folder:
        attack = Attack(seed, Path(folder))
        if prepare is not None:
            prepare(attack)
        attack.run(deeds)
    return attack
