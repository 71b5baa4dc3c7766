"""The window: shows what is published, posts wishes. Must not decide about money or wait for anything."""
