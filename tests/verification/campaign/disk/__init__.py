"""A layer under the till's files that writes down each write and sync, and can refuse them; what power cuts leave."""
