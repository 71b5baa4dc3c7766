"""The journal through its front door, on real files."""
