"""The two web services as values: what was asked and what may be believed of the reply. Decides nothing."""
