"""The owner's page in a real browser: Debian's chromium, told what to do by its own driver."""
