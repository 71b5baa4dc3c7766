"""A layer under the till's files that writes down every write and sync, and can refuse them; what a power cut leaves."""
