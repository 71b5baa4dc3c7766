"""Steps of a sign-in that several tests take."""

from pos_app.domain.commands import SendOtp
from pos_app.domain.views import SignInStep
from tests.unit.engine.rig import Rig


def seen(rig: Rig) -> tuple[SignInStep, str]:
    """What the dialog shows."""
    return rig.dialog.step, rig.dialog.problem


def code_sent(rig: Rig) -> None:
    """A code is out."""
    rig.tell(SendOtp("person-1"))
    rig.otp_sent()
    assert seen(rig) == (SignInStep.CODE_SENT, "")
