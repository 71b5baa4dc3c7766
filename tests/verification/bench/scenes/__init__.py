"""What the till does in its own process once it has been painted; each says its figures on standard output."""
