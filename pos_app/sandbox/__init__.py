"""The sandbox: a stranger that plays both services over the wire; it must import nothing of the till."""
