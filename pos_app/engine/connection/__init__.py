"""Calls to the services beside the engine's thread, and what is known of the connection."""
