"""Tests of the values and decisions of the domain."""
