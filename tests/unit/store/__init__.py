"""The store on a real PostgreSQL, call by call."""
