"""pos_app: a wallet till for merchant counters."""
