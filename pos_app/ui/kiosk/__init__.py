"""What a locked-down till shows and swallows: its place on the screens, keys, cursor, the safe screen."""
