"""The line to the service: what each reply says about it (rule 19 and the back-off)."""

import pytest

from pos_app.domain.replies import Listing, NoAnswer, Refused, Why
from pos_app.domain.views import Connection
from pos_app.engine.connection.monitor import PROBE_MS, Line, News
from tests.unit.domain.flow.story import NOT_FOUND, TIME_OUT, UNAUTHORISED, busy

FORBIDDEN = NoAnswer(Why.FORBIDDEN, sent=True, http_status=403)


@pytest.mark.parametrize("reply", [NOT_FOUND, Refused("5999"), Listing()])
def test_any_envelope_is_a_connection(reply: object) -> None:
    """Also a refusal."""
    line = Line()
    assert line.heard("status", reply, 0) is News.CHANGED
    assert (line.connection, line.probe_at) == (Connection.CONNECTED, None)
    assert line.heard("status", reply, 1) is News.NOTHING


def test_a_lost_line_that_answers_has_returned() -> None:
    """Everybody is asked about."""
    line = Line()
    assert line.heard("status", TIME_OUT, 0) is News.CHANGED
    assert (line.connection, line.probe_at) == (Connection.LOST, PROBE_MS)
    assert line.heard("status", TIME_OUT, 5) is News.NOTHING
    assert line.heard("status", NOT_FOUND, 9) is News.RETURNED


def test_a_slow_line_that_answers_has_not_returned() -> None:
    """Asking about everybody at once would be the next 429."""
    line = Line()
    line.heard("status", busy(), 0)
    assert line.connection is Connection.SLOW
    assert line.heard("status", NOT_FOUND, 9) is News.CHANGED


def test_401_refuses_the_sign_in_until_an_envelope_comes() -> None:
    """Rule 19: a time-out does not lift it."""
    line = Line()
    line.heard("initiate", UNAUTHORISED, 0)
    assert line.sign_in_refused
    line.heard("status", TIME_OUT, 1)
    assert line.sign_in_refused
    assert line.heard("status", NOT_FOUND, 2) is News.SIGN_IN_RENEWED
    assert not line.sign_in_refused


@pytest.mark.parametrize(("second", "refused"), [("status", False), ("cancel", True)])
def test_403_refuses_it_on_two_different_operations(second: str, refused: bool) -> None:
    """Twice the same is one operation that is not allowed."""
    line = Line()
    line.heard("status", FORBIDDEN, 0)
    line.heard(second, FORBIDDEN, 1)
    assert line.sign_in_refused is refused


def test_an_envelope_between_two_403_begins_anew() -> None:
    """The sign-in was good then."""
    line = Line()
    line.heard("status", FORBIDDEN, 0)
    line.heard("query", NOT_FOUND, 1)
    line.heard("cancel", FORBIDDEN, 2)
    assert not line.sign_in_refused


@pytest.mark.parametrize("why", [Why.REDIRECT, Why.UNREADABLE])
def test_what_answers_in_the_services_place_is_told_from_silence(why: Why) -> None:
    """A network that wants a log-in answers everything with its own page; nobody finds that behind "no connection"."""
    line = Line()
    line.heard("status", NoAnswer(why, sent=True, http_status=200), 0)
    assert (line.connection, line.probe_at) == (Connection.STRANGE, PROBE_MS)
    assert line.heard("status", NOT_FOUND, 9) is News.RETURNED
