"""Whole programs: the command line, the kiosk, the tour, as processes on the real sandbox."""
