"""A whole day at the real window against a sandbox: the manual's pictures and the bundle's self-test."""

from pos_app.tour.run import run_tour

__all__ = ["run_tour"]
