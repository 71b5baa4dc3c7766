"""The composition root of the window: settings → journal → engine → window, and back in a bounded order."""

from pos_app.app.run import run_till

__all__ = ["run_till"]
