"""Before a payment: the amount, the keypad, how the customer pays, scanned numbers."""
