"""The customer's phone beside the till, in the sandbox only: a process of its own, a stranger to the till."""
