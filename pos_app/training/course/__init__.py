"""The course: guided exercises at the sandbox's till, and the check of what was done. Draws and sends nothing."""
