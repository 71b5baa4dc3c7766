"""The verbs of the command line, and the opening of a shop that they share with the window."""
