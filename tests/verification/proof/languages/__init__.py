"""Every screen in every language, whole: what `make test` shows in samples."""
