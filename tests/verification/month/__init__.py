"""A shop's month: thirty days of one counter, all that goes wrong in one, and every rupee of it accounted for."""
