"""Tests of the project's shape: layers, forbidden names, and the guards that watch every other test."""
