"""The first start: try it, or set up this counter and its first manager."""
