"""Settings through their front door."""
