"""The till's window and its controller: what it shows, where a key goes, which dialog opens."""
