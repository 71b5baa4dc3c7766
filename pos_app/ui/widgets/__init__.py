"""The small parts every screen is made of. They know how to look and behave, and no payment."""
