"""What needs more of the machine than a display: a compositor, a display bus, a bundle. `make proof` runs it."""
