"""The counter's printer, whichever way it is reached: bytes in, and what became of them."""
