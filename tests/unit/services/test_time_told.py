"""Each reply says when it was made; the services pass that on, and nothing that is no date."""

import sys
import time
from collections.abc import Iterator

import pytest

from pos_app.services.dates import time_in
from pos_app.services.open import Services
from tests.unit.services.live import NUMBER


def test_each_service_tells_its_time(services: Services) -> None:
    """Whatever it answers."""
    told: list[int] = []
    services.payments.get_status("A-1")
    services.tell_time(told.append)
    services.payments.get_status("A-1")
    services.otp.validate_code(NUMBER[1:], "{{code}}")
    assert len(told) == 2
    assert all(at > 1_700_000_000_000 and at % 1000 == 0 for at in told)


@pytest.fixture
def in_colombo() -> Iterator[None]:
    """The zone of a shop; where the system lets a process choose one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TZ", "Asia/Colombo")
        if sys.platform != "win32":
            time.tzset()
        yield
    if sys.platform != "win32":
        time.tzset()


@pytest.mark.usefixtures("in_colombo")
@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Tue, 14 Nov 2023 22:13:20 GMT", 1_700_000_000_000),
        ("Tue, 14 Nov 2023 22:13:20 +0000", 1_700_000_000_000),
        ("Tue Nov 14 22:13:20 2023", 1_700_000_000_000),
        ("Tue, 14 Nov 2023 22:13:20", 1_700_000_000_000),
        ("", None),
        ("soon", None),
        ("Tue, 99 Nov 2023 22:13:20 GMT", None),
        ("Tue, 14 Nov 99999 22:13:20 GMT", None),
    ],
)
def test_a_date_is_read_and_nothing_else(text: str, at: int | None) -> None:
    """In the one zone that HTTP has, wherever the till stands."""
    assert time_in(text) == at
