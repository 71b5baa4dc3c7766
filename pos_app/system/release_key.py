"""The public half of the key that releases are signed with (Ed25519, 64 hexadecimal digits); "" until there is one.

Its private half is its owner's and lies nowhere in the repository; `packaging/bundle/manifest.py public KEY` makes this
of it.
"""

PUBLIC_KEY = ""
