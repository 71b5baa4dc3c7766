"""The service's status names, exactly as its contract writes them; other text is unknown (rule 11)."""

from __future__ import annotations

MERCHANT_INITIATED = "Merchant Initiated"
VERIFICATION_SUCCESS = "Verification Success"
VERIFICATION_FAIL = "Verification Fail"
CUSTOMER_APPROVED = "Customer Approved"
PAYMENT_SUCCESS = "Payment Success"
PAYMENT_FAIL = "Payment Fail"
CUSTOMER_REJECT = "Customer Reject"
MERCHANT_CANCEL = "Merchant Cancel"

PROGRESS = frozenset({VERIFICATION_SUCCESS, CUSTOMER_APPROVED})
FAILURES = frozenset({PAYMENT_FAIL, CUSTOMER_REJECT})
UNPAID_ENDS = FAILURES | {MERCHANT_CANCEL}
KNOWN = PROGRESS | UNPAID_ENDS | {MERCHANT_INITIATED, VERIFICATION_FAIL, PAYMENT_SUCCESS}
