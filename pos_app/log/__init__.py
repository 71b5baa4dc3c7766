"""The till's log: JSON lines without secrets, written beside the work. Nothing starts at import."""

from pos_app.log.start import Stop, start_log

__all__ = ["Stop", "start_log"]
