"""What a day's paper says of payments that are neither plainly paid nor plainly not: in words, and where it is so."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pos_app.domain.day import Carried, Entry, OlderZ, own_part
from pos_app.domain.paper import Line, Pair, Paper
from pos_app.i18n.languages import words_in
from pos_app.i18n.papers import Papers
from pos_app.i18n.words.paper import PaperWords
from tests.support import receipts
from tests.support.receipts import NAMES


def z_paper(language: str = "en", **changed: object) -> Paper:
    return Papers(language, receipts.HEADS[language]).report(receipts.z(**changed), NAMES)


def below(paper: Paper, title: str) -> list[tuple[str, str]]:
    """The pairs below a line, up to the next line that is a title."""
    at = next(
        place for place, each in enumerate(paper.blocks) if isinstance(each, Line) and each.text == title
    )
    found = []
    for each in paper.blocks[at + 1 :]:
        if isinstance(each, Pair):
            found.append((each.label, each.value))
        elif not (isinstance(each, Line) and each.is_code):
            break
    return found


SIGNED = (
    Entry("PAID", "qr", "person-1", "LKR", 1, 1000),
    Entry("SIGNED_OFF(paid)", "qr", "person-1", "LKR", 2, 2505),
    Entry("SIGNED_OFF(paid)", "push", "person-2", "LKR", 1, 5),
    Entry("SIGNED_OFF(not_paid)", "qr", "person-1", "LKR", 4, 9900),
)


def test_what_was_signed_off_as_paid_is_not_without_money_and_in_no_sum() -> None:
    """It stood among what is without money, by the record's own word for it and without its amount."""
    paper = z_paper(entries=SIGNED)
    pairs = [(each.label, each.value) for each in paper.blocks if isinstance(each, Pair)]
    assert ("Signed off as paid, in no sum ×3", "LKR 25.10") in pairs
    assert ("QR code ×1", "LKR 10.00") in pairs
    assert below(paper, "Without money")[:2] == [
        ("Signed off as not paid", "4"),
        ("Ever taken", "LKR 6,123,400.50"),
    ]


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
def test_no_paper_says_the_records_own_word(language: str) -> None:
    told = str(z_paper(language, entries=SIGNED))
    assert "SIGNED_OFF" not in told
    assert language == "en" or "igned off" not in told


def test_without_an_end_there_is_no_title_of_ends() -> None:
    paper = z_paper(entries=SIGNED[:3])
    assert "Without money" not in [each.text for each in paper.blocks if isinstance(each, Line)]


def test_money_that_waits_for_an_answer_is_not_among_what_is_not_known() -> None:
    """It is in the sums above; on paper it was said of it that it is not known yet."""

    def carried(attempt_id: str, state: str) -> Carried:
        return Carried(attempt_id, "0170", state, Decimal("12.50"), "LKR", "person-1", 840, asked=True)

    states = ("UNRESOLVED", "PAID_LATE", "DISPUTED", "PAID")
    paper = z_paper(carried=tuple(carried(f"a{place}", state) for place, state in enumerate(states)))
    assert [label for label, _ in below(paper, "Carried over, not known yet")] == [
        "Not known yet",
        "Disputed",
    ]
    assert [label for label, _ in below(paper, "Taken, not settled yet")] == ["Paid late", "Paid"]


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
@pytest.mark.parametrize("proven", [True, False])
def test_the_paper_of_a_record_that_was_begun_anew_says_which_z_it_follows(
    language: str, *, proven: bool
) -> None:
    older = OlderZ(57, "AAAAAAAA", "CD" * 16, proven)
    words = words_in(PaperWords, language)
    said = words.OLDER if proven else words.OLDER_UNPROVEN
    told = [each.text for each in z_paper(language, older=older).blocks if isinstance(each, Line)]
    (line,) = (each for each in told if "57" in each)
    assert line.translate({0x2066: None, 0x2069: None}) == said.format(number=57, till="TAAAAAAAA")
    assert language == "en" or "begun" not in line


def test_only_what_a_closing_asked_about_is_said_not_to_be_answered_for() -> None:
    """An X asks nobody: each payment that a customer was just paying stood on it as not answered for."""
    papers = Papers("en", receipts.HEADS["en"])
    z = receipts.z()
    said = {
        name: "not answered for" in str(papers.report(report, NAMES))
        for name, report in (
            ("z", z),
            ("x", receipts.x()),
            ("own x", own_part(receipts.x(), "person-1")),
            ("own part of the z", own_part(z, "person-1")),
        )
    }
    assert said == {"z": True, "x": False, "own x": False, "own part of the z": True}


@pytest.mark.parametrize(
    ("environment", "said"),
    [("sandbox", "SBX-T7K3M9QRD-R000101 – R000510"), ("live", "T7K3M9QRD-R000101 – R000510")],
)
def test_receipts_are_named_as_they_are_printed(environment: str, said: str) -> None:
    paper = z_paper(environment=environment)
    assert said in [each.value for each in paper.blocks if isinstance(each, Pair)]
