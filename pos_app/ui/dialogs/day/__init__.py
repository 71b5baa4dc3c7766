"""The counter's day on the screen: what was taken so far, closing it, and the days that were closed."""
