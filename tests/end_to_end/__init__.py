"""The whole till through its front door: window, engine, journal and services on a real sandbox."""
