"""How long a test waits for what is to come: on a machine that is busy elsewhere for seconds none fails by that."""

PATIENCE_S = 30.0
"""Only a test that fails waits as long; one that passes waits until what it waits for is there."""
