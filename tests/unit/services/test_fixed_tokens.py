"""A token that stands fixed among the secrets, and what a refusal of it leads to."""

import threading

import pytest

from pos_app.domain.replies import NoAnswer, Refused
from pos_app.domain.secret import Secret
from pos_app.services.errors import NoToken
from pos_app.services.token import StaticTokens
from tests.support.sandbox import Sandbox
from tests.unit.services.live import opened
from tests.unit.services.test_tokens import Watch


class Place:
    """Where a fixed token stands; counts how often it is looked at."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.looks = 0

    def __call__(self) -> Secret:
        self.looks += 1
        return Secret(self.token)


def test_a_fixed_token_is_looked_up_again_once_it_was_refused() -> None:
    place, watch = Place("old"), Watch()
    tokens = StaticTokens(Secret("old"), place, watch)
    assert (tokens.token(5), place.looks) == (Secret("old"), 0)
    tokens.refused(Secret("old"))
    assert (tokens.token(5), place.looks) == (Secret("old"), 1)
    place.token = "new"
    tokens.refused(Secret("old"))
    assert (tokens.token(5), place.looks) == (Secret("old"), 1), "not at each of many refusals"
    watch.now += 5
    assert (tokens.token(5), place.looks) == (Secret("new"), 2)
    tokens.refused(Secret("old"))
    watch.now += 5
    assert (tokens.token(5), place.looks) == (Secret("new"), 2), "a late 401 to the old one"


def test_secrets_that_cannot_be_read_again_leave_the_token_that_is_there() -> None:
    tokens = StaticTokens(Secret("old"), Place(""))
    tokens.refused(Secret("old"))
    assert tokens.token(5) == Secret("old")


def test_a_token_that_was_never_there_is_looked_for() -> None:
    place, watch = Place(""), Watch()
    tokens = StaticTokens(Secret(""), place, watch)
    with pytest.raises(NoToken, match="no access token"):
        tokens.token(5)
    place.token = "here"
    watch.now += 5
    assert tokens.token(5) == Secret("here")


def test_while_one_thread_looks_the_others_go_on() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly() -> Secret:
        begun.set()
        go_on.wait(10)
        return Secret("new")

    tokens = StaticTokens(Secret("old"), slowly)
    tokens.refused(Secret("old"))
    looking = threading.Thread(target=tokens.token, args=(5,))
    looking.start()
    begun.wait(10)
    assert tokens.token(5) == Secret("old")
    go_on.set()
    looking.join(10)
    assert tokens.token(5) == Secret("new")


def test_what_one_of_the_services_has_looked_up_the_others_use(sandbox: Sandbox) -> None:
    """An answer to the poller says that the sign-in is well again: the initiate that goes out then has that token."""
    place, watch = Place(sandbox.access_token), Watch()
    token = StaticTokens(Secret(place.token), place, watch)
    polling, working = opened(sandbox, token), opened(sandbox, token)
    try:
        sandbox.renew_token()
        assert isinstance(working.payments.get_status("A-1"), NoAnswer)
        assert isinstance(working.payments.get_status("A-1"), NoAnswer)
        place.token = sandbox.access_token
        watch.now += 5
        assert isinstance(polling.payments.get_status("A-1"), Refused)
        assert isinstance(working.payments.get_status("A-1"), Refused)
        assert place.looks == 2
    finally:
        polling.close()
        working.close()
