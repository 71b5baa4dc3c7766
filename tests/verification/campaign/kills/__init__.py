"""The real till is killed again and again while it sells; nothing may be lost, nobody charged twice."""
