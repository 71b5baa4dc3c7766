"""The services' business codes and HTTP errors, as documented; it must not decide when one occurs."""

from collections.abc import Mapping
from types import MappingProxyType

BUSINESS_CODES: Mapping[str, str] = MappingProxyType(
    {
        "5000": "externalMerchantTransactionId must be unique",
        "5001": "Lack of necessary details",
        "5002": "Merchant does not exist",
        "5003": "Customer wallet is blocked",
        "5004": "User account is inactive",
        "5005": "Customer does not exist",
        "5006": "Cannot change status, transaction already processed",
        "5007": "Cannot change to this status",
        "5008": "No permission to change the status of this transaction",
        "5009": "Cannot find transaction",
        "5010": "The user account is inactive",
        "5011": "User permissions error, a merchant admin user is required",
        "5012": "No permission to get this transaction's details",
        "5013": "User does not exist",
        "5014": "No transactions for the searching parameters",
        "5015": "Required parameter missing",
    }
)

OTP_PREFIX = "ONE_TIME_PASSWORD_SMS."

HTTP_ERRORS: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "INVALID_ARGUMENT": (400, "Invalid argument, request body or query parameter"),
        OTP_PREFIX + "VERIFICATION_EXPIRED": (400, "The verification reference is no longer valid"),
        OTP_PREFIX + "VERIFICATION_FAILED": (400, "Maximum number of attempts exceeded without a valid OTP"),
        OTP_PREFIX + "INVALID_OTP": (400, "The OTP is not valid for this verification"),
        "UNAUTHENTICATED": (401, "Missing, invalid or expired credentials"),
        "PERMISSION_DENIED": (403, "Insufficient permissions"),
        OTP_PREFIX + "MAX_OTP_CODES_EXCEEDED": (403, "Too many OTPs requested for this msisdn, try later"),
        OTP_PREFIX + "PHONE_NUMBER_NOT_ALLOWED": (403, "The number cannot receive SMS"),
        OTP_PREFIX + "PHONE_NUMBER_BLOCKED": (403, "The number is blocked from receiving SMS"),
        "NOT_FOUND": (404, "A specified resource is not found"),
        "METHOD_NOT_ALLOWED": (405, "Method not supported on the target resource"),
        "NOT_ACCEPTABLE": (406, "Cannot produce a response matching the Accept headers"),
        "UNSUPPORTED_MEDIA_TYPE": (415, "Payload format unsupported"),
        "TOO_MANY_REQUESTS": (429, "Out of quota or rate limited"),
        "INTERNAL": (500, "Server error"),
        "UNAVAILABLE": (503, "Service unavailable"),
        "TIMEOUT": (504, "Request timeout exceeded, try later"),
    }
)

NAME_BY_STATUS: Mapping[int, str] = MappingProxyType(
    {status: name for name, (status, _) in HTTP_ERRORS.items() if not name.startswith(OTP_PREFIX)}
)
