"""The whole course, which takes more minutes than a test run has."""
