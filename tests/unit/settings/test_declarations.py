"""What is declared of each setting holds together, and nothing is a setting without a declaration."""

from enum import Enum
from typing import Annotated, Any, get_type_hints

import msgspec
import pytest

from pos_app.app.settings.picture import sections
from pos_app.i18n.words.settings import words
from pos_app.settings import Settings
from pos_app.settings.key import PAGES, REQUIRED, Key, Section, declared
from pos_app.settings.load import problem_of
from pos_app.settings.model import BY_NAME, KEYS


def _hints(key: Key) -> Any:
    model = get_type_hints(Settings)[key.section]
    return get_type_hints(model)[key.field]


@pytest.mark.parametrize("key", KEYS, ids=[key.name for key in KEYS])
def test_a_default_is_a_value_that_would_be_taken(key: Key) -> None:
    if key.default is not REQUIRED:
        default = list(key.default) if isinstance(key.default, tuple) else key.default
        assert problem_of(key, default) == ""
    assert key.page in PAGES
    assert not key.of_provider or key.of_provider in BY_NAME["gateway.token_provider"].choices


def test_the_choices_of_a_kind_are_all_of_it() -> None:
    kinds = {key.name: _hints(key) for key in KEYS}
    of_kinds = {
        name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, Enum)
    }
    assert of_kinds
    for name, kind in of_kinds.items():
        assert BY_NAME[name].choices == tuple(each.value for each in kind)


def test_the_screens_pages_are_those_that_are_declared() -> None:
    assert tuple(sections()) == PAGES == tuple(words.SECTION)
    payment = [place.name for place in sections()["payment"]]
    assert payment == ["payment.give_up_s", "payment.extension_s", "gateway.verification_fail_is_final"]


def test_a_field_that_nobody_declared_is_no_setting() -> None:
    """Told when the program is loaded, and so by every test there is."""

    class Half(msgspec.Struct, frozen=True, kw_only=True):
        said: Annotated[int, Key(1, "1")]
        forgotten: int

    class Model(msgspec.Struct, frozen=True, kw_only=True):
        half: Annotated[Half, Section("shop")]

    with pytest.raises(TypeError, match=r"half\.forgotten is not declared"):
        declared(Model)


def test_what_a_section_says_holds_for_its_keys_unless_they_say_otherwise() -> None:
    reconnecting = {key.name for key in KEYS if key.reconnects}
    gateway = {key.name for key in KEYS if key.section == "gateway"}
    assert reconnecting == gateway - {"gateway.verification_fail_is_final"}
    assert {key.name for key in KEYS if key.of_own_sandbox} == gateway | {"shop.name", "shop.currency"}
