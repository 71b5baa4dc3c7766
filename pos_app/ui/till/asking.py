"""Asks on the overlay: yes-or-no questions, and the answer to a late or crossed payment. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pos_app.domain.attempt import State
from pos_app.domain.people import Role
from pos_app.domain.sale import Sale
from pos_app.domain.views import AttemptChanged
from pos_app.domain.wishes import Answer, SignRefund, Wish
from pos_app.ui.face import Face
from pos_app.ui.till.desk import Desk
from pos_app.ui.till.telling import ended_time
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.overlay import OverlayHost
from pos_app.ui.words.table import Words

if TYPE_CHECKING:
    from pos_app.ui.till.answer_panel import AnswerPanel
    from pos_app.ui.till.question import Question

_ANSWER_WIDTH = 600


class Asking:
    """One alert at a time; what is put aside stays on the attention list and the badge."""

    def __init__(
        self, overlay: OverlayHost, face: Face, words: Words, desk: Desk, post: Callable[[Wish], None]
    ) -> None:
        self._overlay = overlay
        self._face = face
        self._words = words
        self._desk = desk
        self._post = post
        self._alert: AnswerPanel | None = None
        self._alert_id = ""
        self._question: Question | None = None
        self._question_id = ""

    @property
    def alert_is_up(self) -> bool:
        """Whether a late or crossed payment is waiting for its answer on the screen."""
        return self._alert is not None

    def ask(
        self,
        title: str,
        more: str,
        yes: str,
        no: str,
        then: Callable[[], None],
        *,
        danger: bool = False,
        careful: bool = False,
        about: str = "",
    ) -> None:
        """Do `then` on yes. A question `about` an attempt goes away when that attempt ends."""
        from pos_app.ui.till.question import Question

        if self._question is not None:
            return
        question = Question(title, more, yes, no, danger=danger, careful=careful)
        self._question = question
        self._question_id = about

        def answered(agreed: bool) -> None:
            self._overlay.close_panel(question)
            if agreed:
                then()

        question.answered.connect(answered)
        self._overlay.open(question, on_close=self._question_closed)

    def look(self) -> None:
        """Raise what must be answered, take away what no longer has to be."""
        asked = self._desk.known(self._question_id)
        if self._question is not None and asked is not None and not asked.attempt.is_open:
            self._overlay.close_panel(self._question)
        if self._alert is not None:
            change = self._desk.known(self._alert_id)
            if change is None or not change.attempt.needs_answer:
                self._overlay.close_panel(self._alert)
            return
        late = self._desk.alert()
        if late is not None:
            self.answer(late, take_focus=False)

    def answer(self, change: AttemptChanged, *, take_focus: bool = True) -> None:
        """Complete or refund; the focus stays where it is when nobody asked for this."""
        from pos_app.ui.till.answer_panel import AnswerPanel

        if self._alert is not None:
            return
        attempt = change.attempt
        said = self._words.ask
        result = self._words.result
        is_late = attempt.state is State.PAID_LATE
        late = result.late_more.format(sale=attempt.sale_id, time=ended_time(attempt)[:5])
        panel = AnswerPanel(
            f"{result.late if is_late else result.paid} · {self._face.money(attempt.amount)}",
            late if is_late else result.crossed,
            (
                ("complete", said.complete, said.reason_complete),
                ("refund", said.refund, said.reason_refund),
            ),
            said,
            name=self._desk.person.name if self._desk.person else "",
            mark=badge.LATE if is_late else badge.PAID,
        )
        self._alert = panel
        self._alert_id = attempt.attempt_id

        def answered(action: str, name: str, reason: str) -> None:
            self._post(Answer(attempt.attempt_id, action, name, reason))
            self._overlay.close_panel(panel)

        panel.answered.connect(answered)
        panel.later.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_ANSWER_WIDTH, take_focus=take_focus, on_close=self._alert_closed)

    def sign_refund(self, sale: Sale, sentence: str) -> None:
        """A sale paid twice: a manager signs that one of the payments was given back (rule 9)."""
        from pos_app.ui.till.answer_panel import AnswerPanel

        said = self._words.ask
        person = self._desk.person
        if person is not None and person.role is not Role.MANAGER:
            self.ask(said.manager_only, sentence, said.shut, "", lambda: None)
            return
        ends = (("sign", said.sign, said.reason_refund),)
        panel = AnswerPanel(
            self._words.result.paid_twice,
            sentence,
            ends,
            said,
            name=person.name if person else "",
            mark=badge.DISPUTED,
        )

        def answered(_action: str, name: str, reason: str) -> None:
            self._post(SignRefund(sale.sale_id, name, reason))
            self._overlay.close_panel(panel)

        panel.answered.connect(answered)
        panel.later.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_ANSWER_WIDTH)

    def _question_closed(self) -> None:
        self._question = None
        self._question_id = ""

    def _alert_closed(self) -> None:
        # Answered, put aside or taken away: in no case is the same alert raised again by itself.
        self._desk.put_aside(self._alert_id)
        self._alert = None
        self._alert_id = ""
        self.look()
