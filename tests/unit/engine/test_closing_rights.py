"""Who closes a day, and what of it they see."""

from __future__ import annotations

from msgspec.structs import replace

from pos_app.domain.commands import CloseDay, LeaveClosing, ReadX, ReadZ
from pos_app.domain.day import totals
from pos_app.domain.rights import Act
from pos_app.domain.views import DayClosed, DayProblem, StaffAnswered, StaffProblem, XRead, ZRead
from pos_app.engine.core.config import Reconfigured
from tests.unit.engine.gate_standings import MANAGER, OTHER, Standing, stand


def test_a_cashier_closes_only_where_the_settings_let_them() -> None:
    """And sees their own payments alone."""
    rig = stand(Act.CLOSE_DAY, Standing.NOT_OWNER).rig
    rig.tell(CloseDay(request_id="c1", who=OTHER))
    assert rig.last(StaffAnswered).problem is StaffProblem.NOT_ALLOWED
    rig.tell(ReadZ(request_id="z1", who=OTHER))
    assert rig.last(StaffAnswered) == StaffAnswered(request_id="z1", problem=StaffProblem.NOT_ALLOWED)
    rig.tell(ReadX(request_id="x1", who=OTHER))
    assert rig.last(StaffAnswered).request_id == "x1"
    rig.tell(ReadX(request_id="x2", whose=OTHER, who=OTHER))
    assert rig.last(XRead).report is not None
    opened = replace(rig.config, cashier_may_close=True)
    rig.tell(Reconfigured(config=opened, who=MANAGER, changed=("day.cashier_may_close",)))
    rig.tell(CloseDay(request_id="c1", who=OTHER))
    closed = rig.last(DayClosed)
    assert closed.z is None
    assert closed.own is not None
    assert (closed.own.whose, closed.own.grand) == (OTHER, {})
    rig.tell(ReadZ(request_id="z2", who=OTHER))
    assert rig.last(StaffAnswered).request_id == "z2"
    assert not [each for each in rig.shown if isinstance(each, ZRead)]


def test_a_manager_closes_and_sees_it_all() -> None:
    """The Z names who closed; an X of the whole till is theirs to read."""
    rig = stand(Act.CLOSE_DAY, Standing.MANAGER).rig
    rig.tell(ReadX(request_id="x1", who=MANAGER))
    read = rig.last(XRead).report
    assert read is not None
    assert read.whose == ""
    rig.tell(LeaveClosing(request_id="c9", who=MANAGER))
    assert rig.last(DayClosed).problem is DayProblem.NO_SUCH_CLOSING
    rig.tell(CloseDay(request_id="c1", who=MANAGER))
    z = rig.last(DayClosed).z
    assert z is not None
    assert (z.by, totals(z.entries, "LKR").taken.count) == (MANAGER, 0)
    rig.tell(ReadZ(request_id="z1", who=MANAGER))
    assert rig.last(ZRead).reports == (z,)
