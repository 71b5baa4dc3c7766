"""The manager’s people: who may sign in, what they may do, what they did, who allows it."""
