"""Whoever has the till for themselves, guessing: kills, set clocks, reboots and tries in any order."""
