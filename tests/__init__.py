"""The tests of the till; a package so that they can share their guards and the sandbox they start."""
