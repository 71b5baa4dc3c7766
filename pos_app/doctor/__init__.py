"""What a till needs, looked at part by part; for `doctor`, `diagnostics` and the manager's menu."""

from pos_app.doctor.examination import examine, examine_shop
from pos_app.doctor.finding import Finding

__all__ = ["Finding", "examine", "examine_shop"]
