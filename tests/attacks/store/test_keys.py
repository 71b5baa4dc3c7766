"""Keys that are revoked, sessions that are somebody else's, codes that are guessed."""

from __future__ import annotations

import asyncio
import threading

import httpx
import msgspec
import pytest

from pos_app.domain import shipping
from pos_app.domain.shipping import Refusal, Verdict
from pos_app.store.command import refuse_key
from pos_app.store.database import Database
from tests.support.owners import owner, page_of
from tests.support.store import PretendCounter, add_shop, caller, code_for, rows, serving


def refusal(said: httpx.Response) -> tuple[int, str]:
    return said.status_code, msgspec.json.decode(said.content, type=Refusal).code


def revoke(database: Database, counter: PretendCounter) -> None:
    """What the verb and the page do, as one transaction."""
    rows(
        database,
        "UPDATE installation SET state = 'revoked', revoked = now() WHERE installation = %s",
        counter.installation,
    )


def test_a_live_token_of_a_revoked_key_brings_nothing_in(database: Database, shop: int) -> None:
    """M10: from the commit on, also for batches of which a part was taken; a neighbour is not harmed."""
    counter, neighbour = PretendCounter(), PretendCounter("OTHER1", 2)
    for each in (counter, neighbour):
        each.pay(f"{each.installation}-1-1")
        each.pay(f"{each.installation}-2-1")
    twin = counter.twin()
    twin.events[2] = msgspec.structs.replace(twin.events[2], mac=b"other" + b"\0" * 27)
    with (
        serving(database) as url,
        counter.at(url, code_for(database, shop)),
        neighbour.at(url, code_for(database, shop)),
        twin.at(url),
    ):
        assert counter.ship(1, 3).verdict is Verdict.TAKEN
        # A token that the store has seen lately; another one is no session any more.
        assert twin.head().seq == 3
        revoke(database, counter)
        for first, last in ((4, 6), (1, 3), (2, 6), (6, 6)):
            assert refusal(counter.send(counter.batch(first, last))) == (403, "revoked")
        assert refusal(twin.send(twin.batch(1, 3))) == (403, "revoked")
        # Nor does it read on what the journal's payments are, or those of the shop.
        for path in ("/v1/head", "/v1/told"):
            assert refusal(counter.get(path)) == (403, "revoked")
        assert refusal(counter.post("/v1/find", shipping.FindRequest(digits="567"))) == (403, "revoked")
        said = counter.post("/v1/challenge", shipping.ChallengeRequest(installation=counter.installation))
        assert refusal(said) == (403, "revoked")
        joined = counter.post("/v1/join", counter.join_request(code_for(database, shop)))
        assert refusal(joined) == (403, "revoked")
        assert neighbour.ship().verdict is Verdict.TAKEN
    held = "SELECT last FROM batch JOIN installation USING (life) WHERE state = 'revoked'"
    assert rows(database, held) == [(3,)]
    assert rows(database, "SELECT count(*) FROM fork") == [(0,)]
    assert rows(database, "SELECT sum(n) FROM takings") == [(3,)]


@pytest.mark.parametrize("by_page", [False, True], ids=["verb", "page"])
def test_no_former_life_of_a_revoked_key_opens_a_session(
    database: Database, shop: int, by_page: bool
) -> None:
    """All lives of a journal sign with one key. The machine that took its counter over, under another, goes on."""
    old, stranger = PretendCounter(), PretendCounter("OTHER1", 2)
    other = add_shop(database, "Other")
    anew, moved = PretendCounter("NEW111", 3, old.key), PretendCounter("NEW222", 1, old.key)
    taken_over = PretendCounter("NEW333", 1)
    with page_of(database) as url:
        for counter, where in (
            (old, shop),
            (anew, shop),
            (stranger, shop),
            (moved, other),
            (taken_over, shop),
        ):
            with counter.at(url, code_for(database, where)):
                counter.pay(f"{counter.installation}-1-1")
                counter.ship()
        held = caller(url)
        if by_page:
            with owner(database, url, shop, "nimali.perera") as person:
                named = "SELECT counter FROM installation WHERE installation = 'NEW111'"
                ((number,),) = rows(database, named)
                person.get(f"/counters/{number}/revoke")
                assert person.send(f"/counters/{number}/revoke", reason="It was stolen").status_code == 200
        else:
            assert asyncio.run(refuse_key(database, "NEW111"))
        with held:
            for counter in (old, anew):
                body = msgspec.json.encode(shipping.ChallengeRequest(installation=counter.installation))
                assert refusal(held.post("/v1/challenge", content=body)) == (403, "revoked")
                token = {"authorization": f"Bearer {counter.token}"}
                for said in (
                    held.get("/v1/head", headers=token),
                    held.post("/v1/batches", content=counter.batch(1, 3), headers=token),
                    held.post("/v1/find", content=b'{"amount": "100.00"}', headers=token),
                ):
                    assert refusal(said) == (403, "revoked")
        for counter in (stranger, moved, taken_over):
            with counter.at(url):
                assert counter.head().seq == 3
    states = "SELECT installation, state FROM installation ORDER BY life"
    assert rows(database, states) == [
        ("K7Q2MX", "revoked"), ("NEW111", "revoked"), ("OTHER1", "joined"), ("NEW222", "joined"), ("NEW333", "joined"),
    ]  # fmt: skip
    assert rows(database, "SELECT shop, life, kind FROM incident") == [(shop, 2, "revoked")]


def test_nothing_enters_behind_a_revocation_that_comes_in_the_middle(database: Database, shop: int) -> None:
    """While batches come as fast as they can: the head stands where it stood at the commit."""
    counter = PretendCounter()
    for number in range(1, 61):
        counter.pay(f"K7Q2MX-{number}-1")
    stood: list[int] = []
    with serving(database) as url, counter.at(url, code_for(database, shop)):

        def at_once() -> None:
            revoke(database, counter)
            stood.append(rows(database, "SELECT head_seq FROM installation")[0][0])

        refused = 0
        hand = threading.Thread(target=at_once)
        for seq in range(1, 181):
            if seq == 60:
                hand.start()
            said = counter.send(counter.batch(seq, seq))
            if said.status_code != 200:
                assert refusal(said) == (403, "revoked")
                refused += 1
                if refused == 3:
                    break
        hand.join(20)
    assert refused
    assert rows(database, "SELECT max(last) FROM batch") == [(stood[0],)]


def test_a_challenge_is_signed_once_by_its_own_counter(database: Database, shop: int) -> None:
    counter, other = PretendCounter(), PretendCounter("OTHER1", 2)
    with (
        serving(database) as url,
        counter.at(url, code_for(database, shop)),
        other.at(url, code_for(database, shop)),
    ):
        drawn = counter.challenge()
        # Another one's key, and another one's name with the right key.
        assert refusal(counter.post("/v1/session", other.session_request(drawn)))[0] == 401
        stolen = msgspec.structs.replace(other.session_request(drawn), installation=counter.installation)
        drawn = counter.challenge()
        assert refusal(counter.post("/v1/session", stolen)) == (401, "signature")
        right = counter.session_request(drawn)
        assert counter.post("/v1/session", right).status_code == 200
        assert refusal(counter.post("/v1/session", right)) == (401, "signature")
        made_up = shipping.Challenge(challenge=b"\0" * 32, store_id="st-test")
        assert refusal(counter.post("/v1/session", counter.session_request(made_up))) == (401, "signature")
        elsewhere = msgspec.structs.replace(counter.challenge(), store_id="st-other")
        assert refusal(counter.post("/v1/session", counter.session_request(elsewhere))) == (401, "signature")
        rows(database, "UPDATE challenge SET until = now() - interval '1 second'")
        late = counter.challenge()
        rows(database, "UPDATE challenge SET until = now() - interval '1 second'")
        assert refusal(counter.post("/v1/session", counter.session_request(late))) == (401, "signature")


TOKENS = ("", "x", "Bearer", "Basic abc", "Bearer {}", "Bearer " + "a" * 4_000)


@pytest.mark.parametrize("path", ["/v1/head", "/v1/told"])
def test_without_a_session_nothing_is_said(database: Database, path: str) -> None:
    with serving(database) as url, caller(url) as client:
        for token in TOKENS:
            said = client.get(path, headers={"authorization": token})
            assert refusal(said) == (401, "session")
        for method, other in (("POST", "/v1/batches"), ("POST", "/v1/leave")):
            assert refusal(client.request(method, other, content=b"{}")) == (401, "session")


def test_a_session_leaves_and_reads_for_itself_alone(database: Database, shop: int) -> None:
    counter, other = PretendCounter(), PretendCounter("OTHER1", 2)
    other.pay("OTHER1-1-1")
    with (
        serving(database) as url,
        counter.at(url, code_for(database, shop)),
        other.at(url, code_for(database, shop)),
    ):
        other.ship()
        assert counter.told(0).told == ()
        assert counter.head().seq == 0
        said = counter.post("/v1/leave", shipping.ChallengeRequest(installation=other.installation))
        assert refusal(said) == (403, "installation")
        assert other.head().seq == 3


def test_codes_are_tried_thirty_times_a_minute_and_no_more(database: Database, shop: int) -> None:
    """A right one has to wait then, too: whoever guesses shuts the door, and opens none."""
    counter = PretendCounter()
    right = code_for(database, shop)
    with serving(database) as url, caller(url) as client:
        wrong = msgspec.json.encode(counter.join_request("AAAA-AAAA"))
        said = [refusal(client.post("/v1/join", content=wrong)) for _ in range(31)]
        assert said == [(401, "code")] * 30 + [(429, "too_many")]
        late = client.post("/v1/join", content=msgspec.json.encode(counter.join_request(right)))
        assert refusal(late) == (429, "too_many")
        assert late.headers["retry-after"] == "60"


def test_a_code_that_is_too_old_opens_nothing(database: Database, shop: int) -> None:
    counter = PretendCounter()
    code = code_for(database, shop)
    rows(database, "UPDATE join_code SET until = now() - interval '1 second'")
    with serving(database) as url, caller(url) as client:
        said = client.post("/v1/join", content=msgspec.json.encode(counter.join_request(code)))
        assert refusal(said) == (401, "code")


def test_a_join_that_was_changed_on_its_way_is_none(database: Database, shop: int) -> None:
    """The proof is over all of it: whoever sits between cannot put their own key or counter in."""
    counter = PretendCounter()
    request = counter.join_request(code_for(database, shop))
    changed = [
        msgspec.structs.replace(request, public_key=b"\1" * 32),
        msgspec.structs.replace(request, installation="EVIL11"),
        msgspec.structs.replace(request, counter_id=9),
        msgspec.structs.replace(request, merchant_id="M-2"),
        msgspec.structs.replace(request, environment="live"),
        msgspec.structs.replace(request, proof=b""),
    ]
    with serving(database) as url, caller(url) as client:
        for each in changed:
            said = client.post("/v1/join", content=msgspec.json.encode(each))
            assert refusal(said) == (401, "code")
        assert client.post("/v1/join", content=msgspec.json.encode(request)).status_code == 200
