"""Whose a file on Windows is and who may change it, judged on access lists that were made up for it."""

from __future__ import annotations

import pytest

from pos_app.system.windows_acl import (
    ADMINISTRATORS,
    CHANGES,
    DELETE,
    DELETE_CHILD,
    EVERYONE,
    GENERIC_ALL,
    INSTALLER,
    READ_DATA,
    READS,
    SYSTEM,
    WRITE_DAC,
    WRITE_DATA,
    Entry,
    Standing,
    is_anothers,
    open_to,
    problem_of_file,
    problem_of_folder,
)

ME, OTHER = "S-1-5-21-1-2-3-1001", "S-1-5-21-1-2-3-1002"
AUTHENTICATED, USERS = "S-1-5-11", "S-1-5-32-545"
ALL = 0x1F01FF
READ_AND_RUN, MODIFY = 0x1200A9, 0x1301BF
"""As Explorer gives them, by those names."""

MINE = (Entry(True, SYSTEM, ALL), Entry(True, ADMINISTRATORS, ALL), Entry(True, ME, ALL))
"""What a file below a user's profile has."""


def standing(*more: Entry, owner: str = ME) -> Standing:
    return Standing(owner, (*MINE, *more))


PROFILE = standing()


def problem(file: Standing, *folders: Standing, secret: bool = False) -> str:
    return problem_of_file(file, iter(folders or (PROFILE,)), ME, secret=secret)


def test_a_file_of_the_profile_is_ours_alone() -> None:
    assert problem(PROFILE) == problem(PROFILE, secret=True) == ""
    assert problem_of_folder(PROFILE, ME, shared=False) == ""


@pytest.mark.parametrize(
    ("sid", "name"),
    [
        (EVERYONE, "Everyone"),
        (AUTHENTICATED, "Authenticated Users"),
        (USERS, "Users"),
        ("S-1-5-21-7-8-9-513", "Domain Users"),
    ],
)
@pytest.mark.parametrize("mask", [WRITE_DATA, DELETE, WRITE_DAC, GENERIC_ALL, MODIFY])
def test_what_everybody_may_change_is_refused(sid: str, name: str, mask: int) -> None:
    said = problem(standing(Entry(True, sid, mask)))
    assert said == f"can be changed by others ({name})"


def test_settings_may_be_read_by_everybody_and_secrets_not() -> None:
    shown = standing(Entry(True, USERS, READ_AND_RUN))
    assert problem(shown) == ""
    assert problem(shown, secret=True) == "can be read by others (Users)"


def test_a_group_that_somebody_chose_may_have_rights() -> None:
    """The shop's own, or one account whose number only ends alike."""
    for chosen in ("S-1-5-21-7-8-9-1513", "S-1-5-21-7-8-9-512"):
        assert problem(standing(Entry(True, chosen, MODIFY)), secret=True) == ""


def test_no_list_at_all_lets_everybody_do_everything() -> None:
    """As on a stick; an empty list lets nobody."""
    assert problem(Standing(ME, None)) == "can be changed by others (Everyone)"
    assert problem(Standing(ME, ())) == ""


@pytest.mark.parametrize("owner", [ME, SYSTEM, ADMINISTRATORS, INSTALLER])
def test_the_word_of_the_system_is_taken(owner: str) -> None:
    assert not is_anothers(standing(owner=owner), ME)


def test_another_users_file_is_refused_whatever_its_list_says() -> None:
    """Its owner can write another list at any time."""
    assert problem(standing(owner=OTHER)) == "belongs to another user, who can change it"
    assert problem_of_folder(standing(owner=OTHER), ME, shared=True) == "belongs to another user"


def test_another_user_by_name_may_be_let_in() -> None:
    """Somebody meant that; what a folder passes on to everybody nobody did."""
    assert problem(standing(Entry(True, OTHER, MODIFY)), secret=True) == ""


def test_what_is_denied_first_is_not_allowed_later() -> None:
    denied = Entry(False, USERS, CHANGES | READS)
    allowed = Entry(True, USERS, MODIFY)
    assert open_to(standing(denied, allowed), CHANGES | READS) == ""
    assert open_to(standing(allowed, denied), CHANGES) == "Users"
    assert (
        open_to(standing(Entry(False, EVERYONE, WRITE_DATA), Entry(True, USERS, WRITE_DATA)), CHANGES) == ""
    )
    assert open_to(standing(Entry(False, USERS, READ_DATA), allowed), CHANGES) == "Users"
    assert open_to(standing(Entry(False, OTHER, CHANGES), allowed), CHANGES) == "Users"


def test_a_folder_from_which_everybody_may_take_files_is_refused() -> None:
    """Its file's own list does not help: another is put in its place."""
    open_folder = standing(Entry(True, EVERYONE, DELETE_CHILD))
    assert problem(PROFILE, PROFILE, open_folder) == "can be replaced by others (Everyone)"


def test_a_shared_folder_may_be_added_to_and_that_of_a_journal_not() -> None:
    """A drive's first folder lets everybody make folders; beside a journal a foreign file would be read with it."""
    drive = standing(Entry(True, AUTHENTICATED, MODIFY))
    assert problem_of_folder(drive, ME, shared=True) == ""
    assert problem_of_folder(drive, ME, shared=False) == "can be changed by others (Authenticated Users)"
    lost = standing(Entry(True, USERS, WRITE_DAC))
    assert problem_of_folder(lost, ME, shared=True) == "can be changed by others (Users)"
