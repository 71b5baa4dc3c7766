"""Every component in every state and every payment state, to look at. Talks to no service and posts nothing."""
