"""The store as whoever runs it meets it: its verbs, as processes of their own."""
