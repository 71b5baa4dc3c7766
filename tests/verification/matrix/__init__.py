"""Each fault at each step of a payment: what the cashier reads, what the journal says, what the judge finds."""
