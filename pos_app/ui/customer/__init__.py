"""The customer's screen: a second window on a second display. It shows and never asks, and takes no input."""
