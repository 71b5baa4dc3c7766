"""Diagnostics to be sent away: what goes in, how it is cleaned, and the zip file. Nothing leaves by itself."""

from pos_app.diagnostics_bundle.archive import BundleError, named, pack

__all__ = ["BundleError", "named", "pack"]
