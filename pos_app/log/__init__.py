"""The till's log: JSON lines without secrets, written beside the work. Nothing starts at import."""

from pos_app.log.start import Log, start_log

__all__ = ["Log", "start_log"]
