"""What stands instead of the till while it is locked or nobody is at it."""
