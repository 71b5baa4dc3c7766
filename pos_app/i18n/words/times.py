"""Waiting times, ages and dates in words. Reads no clock."""

from __future__ import annotations

from datetime import date

from pos_app.i18n.table import Table


class Times(Table):
    """The words; English until told otherwise. Units are written short, so that they need no plural."""

    SECONDS = "{seconds} s"
    MINUTES = "{minutes} min"
    MINUTES_SECONDS = "{minutes} min {seconds} s"
    HOURS = "{hours} h"
    HOURS_MINUTES = "{hours} h {minutes} min"

    DAY = "{day} {month}"
    """A day of this year or the last: 12 Nov."""

    MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

    def duration(self, seconds: int) -> str:
        """20 s, 2 min 5 s, 3 h 10 min: whole units, the largest two."""
        if seconds < 60:
            return self.SECONDS.format(seconds=seconds)
        minutes, rest = divmod(seconds, 60)
        if minutes < 60:
            said = self.MINUTES_SECONDS if rest else self.MINUTES
            return said.format(minutes=minutes, seconds=rest)
        hours, minutes = divmod(minutes, 60)
        said = self.HOURS_MINUTES if minutes else self.HOURS
        return said.format(hours=hours, minutes=minutes)

    def age(self, seconds: float) -> str:
        """A rough age: 40 s, 2 min, 3 h."""
        if seconds < 60:
            return self.SECONDS.format(seconds=int(seconds))
        if seconds < 5400:
            return self.MINUTES.format(minutes=int(seconds // 60))
        return self.HOURS.format(hours=int(seconds // 3600))

    def day(self, day: date) -> str:
        """12 Nov."""
        return self.DAY.format(day=day.day, month=self.MONTHS[day.month - 1])


words = Times()
