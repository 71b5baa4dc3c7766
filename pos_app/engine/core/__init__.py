"""The engine's thread: one queue in, the journal first, then the effects; and the pictures that go out."""
