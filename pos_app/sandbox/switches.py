"""Every point the services leave open, as a named switch; it must not act on any of them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
HttpStatus = Annotated[int, msgspec.Meta(ge=200, le=599)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=10_000_000)]


class Switches(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The values in force; the table in the sandbox's README says what each means."""

    failure_http_status: HttpStatus = 200
    http_error_body: Literal["envelope", "plain", "html", "empty", "json"] = "envelope"
    bad_merchant_credentials: Literal["5011", "http_401"] = "5011"
    id_echo: Literal["string", "number"] = "string"
    amount_echo: Literal["number", "string", "double"] = "number"
    amount_decimals: Annotated[int, msgspec.Meta(ge=0, le=8)] = 3
    qr_body: Literal["either", "chargeTotal", "amount"] = "either"
    query_needs_id: bool = False
    page_meaning: Literal["number", "position", "ignored"] = "number"
    page_size: Count = 20
    page_lost: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    list_cap: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    list_order: Literal["as-is", "newest-first", "oldest-first", "shuffled"] = "as-is"
    list_most: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    list_beyond_most: Literal["5014", "oversize"] = "5014"
    list_lag_s: Seconds = 0
    list_dates: Literal["inclusive", "exclusive", "days", "ignored"] = "inclusive"
    verification_fail_final: bool = False
    transaction_expiry_s: Seconds = 0
    approve_to_paid_s: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.4
    otp_tries: Count = 5
    otp_sends: Count = 5
    otp_send_window_s: Seconds = 900
    otp_validity_s: Seconds = 300
    otp_resend_ends_earlier: bool = True
    otp_wrong_pin: Literal["envelope", "invalid_otp"] = "envelope"
    otp_wrong_pin_http_status: HttpStatus = 200
    oauth_token_lifetime_s: Seconds = 3600


class SwitchBoard:
    """Owns the switches in force and the ones the sandbox was started with."""

    def __init__(self, start: Switches) -> None:
        self._start = start
        self.now = start

    def change(self, values: Mapping[str, Any]) -> Switches:
        """Raises msgspec.ValidationError for an unknown name or value; nothing is changed then."""
        self.now = changed(self.now, values)
        return self.now

    def reset(self) -> None:
        self.now = self._start


def changed(switches: Switches, values: Mapping[str, Any]) -> Switches:
    """Texts are read as the value they spell, so that `--switch otp_tries=3` works."""
    return msgspec.convert({**msgspec.structs.asdict(switches), **values}, Switches, strict=False)


def from_texts(texts: list[str]) -> Switches:
    """Reads repeated `name=value`; raises ValueError with a text for the person."""
    values = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in Switches.__struct_fields__:
            raise ValueError(
                f"no switch {text!r}; write name=value with one of: {', '.join(Switches.__struct_fields__)}"
            )
        values[name] = value
    try:
        return changed(Switches(), values)
    except msgspec.ValidationError as error:
        raise ValueError(f"switch: {error}") from error
