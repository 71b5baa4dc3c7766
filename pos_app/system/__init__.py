"""What the operating system knows and the till must ask it for: each thing once."""
