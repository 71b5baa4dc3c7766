"""A damaged record begun anew, and the passcodes in it: no wrong try is forgiven."""

from __future__ import annotations

from pathlib import Path

from pos_app.domain.attempt import Environment
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.secret import Secret
from pos_app.domain.staff import EnterPasscode, Lock
from pos_app.journal import Journal
from pos_app.journal.salvage import salvage
from tests.engine.damage import KEY, Opens, begun_anew, harm
from tests.engine.rig import PASSCODE, Rig


def _with_a_passcode(opens: Opens, wrong: int) -> Rig:
    """A manager at a locked till at whose passcode somebody has guessed."""
    book = opens()
    rig = Rig(book).start()
    rig.sign_in()
    rig.tell(Lock())
    for _ in range(wrong):
        rig.wait(301)
        rig.tell(EnterPasscode("person-1", Secret("111122")))
        rig.passcode_checked()
    assert book.head()[0] > 0
    return rig


def test_a_passcode_comes_along_with_its_wrong_tries(path: Path, opens: Opens) -> None:
    """A damaged record forgives none of them, and a try that cannot be proven is one too."""
    book = _with_a_passcode(opens, 4).book
    assert isinstance(book, Journal)
    last = book.head()[0]
    book.close()
    harm(path, f"UPDATE event SET actor = 'x' WHERE seq = {last}")
    found = salvage(path, KEY, Environment.SANDBOX)
    assert (len(found.tries["passcode:person-1"]), found.lost) == (4, 0)

    rig = Rig(begun_anew(opens)).start()
    (person,) = rig.terminal.people
    assert (person.passcode_set, person.passcode_dead) == (True, False)
    assert rig.book.unsealed("passcode:person-1") == b"704918"
    kinds = [event.kind for event in rig.book.events_of("passcode:person-1")]
    assert kinds == ["PASSCODE_RECOVERED", *["PASSCODE_TRY"] * 4]
    assert rig.terminal.sessions == ()


def test_where_events_are_missing_only_a_code_helps(path: Path, opens: Opens) -> None:
    """Nobody knows how many wrong ones there were in them."""
    book = _with_a_passcode(opens, 4).book
    assert isinstance(book, Journal)
    last = book.head()[0]
    book.close()
    harm(path, f"DELETE FROM event WHERE seq > {last - 3}")
    rig = Rig(begun_anew(opens)).start()
    (person,) = rig.terminal.people
    assert (person.passcode_set, person.passcode_dead) == (True, True)
    rig.tell(EnterPasscode("person-1", PASSCODE))
    assert rig.dialog.problem == PasscodeProblem.DEAD


def test_a_passcode_whose_hash_is_gone_is_chosen_anew(path: Path, opens: Opens) -> None:
    """Its person is there, and begins with a code."""
    book = _with_a_passcode(opens, 0).book
    assert isinstance(book, Journal)
    book.close()
    harm(path, "UPDATE event SET sealed = NULL WHERE kind = 'PASSCODE_SET'")
    rig = Rig(begun_anew(opens)).start()
    (person,) = rig.terminal.people
    assert (person.name, person.passcode_set) == ("Nimali", False)
    rig.tell(EnterPasscode("person-1", PASSCODE))
    assert rig.dialog.problem == PasscodeProblem.NOT_SET
