"""The pretended printer beside the sandbox's till: the paper that came out of it, and what can be done to it."""
