"""The window: shows what is published, posts commands. Must not decide about money or wait for anything."""
