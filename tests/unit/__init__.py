"""Each part by itself: a folder here mirrors the one of pos_app that it tests."""
