"""The customer's screen on displays of a real X server and a real Wayland compositor, with the whole till."""
