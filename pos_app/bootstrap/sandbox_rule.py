"""Whether the sandbox may run on this machine: [site] sandbox = false in the site file makes it a counter alone."""

from __future__ import annotations

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.settings import SettingsError, sandbox_allowed
from pos_app.system import paths


def may_play() -> bool:
    """Whether the sandbox may run on this machine; not where that cannot be read."""
    try:
        return sandbox_allowed(paths.site_file())
    except SettingsError:
        return False


def refuse_sandbox() -> None:
    """Raises CommandError where the site file forbids the sandbox, or cannot be read and might."""
    try:
        allowed = sandbox_allowed(paths.site_file())
    except SettingsError as error:
        raise CommandError(Exit.CONFIGURATION, str(error)) from error
    if not allowed:
        raise CommandError(
            Exit.CONFIGURATION,
            f"this machine is a counter: {paths.site_file()} forbids the sandbox and the course here "
            "([site] sandbox = false)",
        )
