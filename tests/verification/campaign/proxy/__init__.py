"""The real till against the real sandbox through a proxy that plays what networks and gateways do; judged by ledger."""
