"""Keys on the screen, for a shop without a keyboard.

Our own, and not Qt's virtual keyboard: that one is no part of the wheels we install (only its plugins are, without
their library), is licensed under the GPL alone, and has neither Sinhala nor Tamil.
"""
