"""What a cashier does at the first till of a matrix's shop: one wish each."""

from __future__ import annotations

from pos_app.domain.commands import (
    Answer,
    Cancel,
    CheckNow,
    EnrolFirst,
    SendOtp,
    SignOut,
    SignRefund,
    SubmitOtp,
)
from tests.verification.simulation.calls import RIGHT_PIN
from tests.verification.simulation.till import SimTill

WHO = "person-1"
MANAGER = "+94770000001"


class Deeds:
    """Told to the till of whoever has this."""

    @property
    def till(self) -> SimTill:
        """The one that meets the fault."""
        raise NotImplementedError

    def cancel(self, attempt_id: str) -> None:
        """Cancel was touched and confirmed."""
        self.till.tell(Cancel(attempt_id, WHO))

    def check(self, attempt_id: str) -> None:
        """Check now."""
        self.till.tell(CheckNow(attempt_id))

    def answer(self, attempt_id: str, action: str) -> None:
        """A person settles it."""
        self.till.tell(Answer(attempt_id, action, "Nimali", "as agreed with the customer"))

    def enrol(self) -> None:
        """The first person is being enrolled: a code goes out."""
        self.till.tell(EnrolFirst("Nimali", MANAGER))

    def send_code(self) -> None:
        """A person on the list picks the name: a code goes out."""
        self.till.tell(SendOtp(WHO))

    def sign_out(self) -> None:
        """Whoever is signed in leaves."""
        self.till.tell(SignOut())

    def type_code(self, pin: str = RIGHT_PIN) -> None:
        """The code from the SMS."""
        self.till.tell(SubmitOtp(WHO, pin))

    def sign_refund(self, sale_id: str) -> None:
        """Somebody signs that one of two payments was given back."""
        self.till.tell(SignRefund(sale_id, "Nimali", "given back in cash"))
