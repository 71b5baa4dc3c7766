"""The command line: its parser, a module for each verb, and what verbs print."""
