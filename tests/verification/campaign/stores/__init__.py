"""Real stores on real PostgreSQL killed, cut off and put back under counters whose folders are copied and put back."""
