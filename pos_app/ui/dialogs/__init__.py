"""Panels over the till: sign-in, set-up, settings, open payments, help, questions; each built when needed."""
