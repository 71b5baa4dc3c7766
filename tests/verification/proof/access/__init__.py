"""The till by a screen reader's way in alone: no picture, no mouse, no key."""
