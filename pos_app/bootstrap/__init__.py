"""The composition root below the window: options → settings → journal → services → a shop at work."""
