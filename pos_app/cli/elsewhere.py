"""What verbs make of a payment that was opened at another service than the settings name. Sends nothing."""

from __future__ import annotations

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.domain.attempt import Attempt
from pos_app.domain.origins import SERVICE, is_elsewhere, named_origins, set_aside, with_origin
from pos_app.journal import Queries


class Here:
    """The service that the settings name, and whose the payments of a journal are."""

    def __init__(self, origin: str, journal: Queries | None) -> None:
        self._origin = origin
        said = [] if journal is None else named_origins(journal.events_of(SERVICE))
        self._unnamed = next(iter(said), origin)

    def told(self, attempt: Attempt) -> Attempt:
        """As a till that starts now would find it: it may not have run since the settings were changed."""
        named = with_origin(attempt, self._unnamed)
        return set_aside(named, self._origin) if is_elsewhere(named, self._origin) else named

    def require(self, attempt: Attempt | None) -> None:
        """Raises CommandError for a payment that this service may not be asked about (rule 10)."""
        named = None if attempt is None else with_origin(attempt, self._unnamed)
        if named is not None and is_elsewhere(named, self._origin):
            raise CommandError(
                Exit.CONFIGURATION,
                f"{named.attempt_id} was opened at {named.origin} and is asked about there alone; the settings "
                f"name {self._origin}: set gateway.base_url back to {named.origin}",
            )
