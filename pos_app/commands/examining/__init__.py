"""What a till needs, looked at part by part; for `doctor`, `diagnostics` and the manager's menu. Mends nothing."""

from pos_app.commands.examining.everything import examine, examine_shop
from pos_app.commands.examining.finding import Finding

__all__ = ["Finding", "examine", "examine_shop"]
