"""`pos-app sandbox`: hands over to the sandbox's own command; the till imports nothing else of it."""

from pos_app.sandbox.command import add_arguments, run

__all__ = ["add_arguments", "run"]
