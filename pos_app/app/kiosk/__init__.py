"""The till as the only thing on its screen: full screen, watched over, left by a manager alone."""
