"""The command line as its users meet it: real processes against the real sandbox."""
