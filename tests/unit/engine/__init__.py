"""Tests of the engine, driven inline on a fake clock."""
