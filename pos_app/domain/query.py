"""What of the service's list is wanted: every filter and the paging of the service, all optional."""

from __future__ import annotations

import msgspec


class QueryFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Filters of the query operation (docs/services/merchant-payment.md); an empty one is not sent.

    Dates are "YYYY-MM-DD HH:MM:SS". Whether `page_start` and `page_end` are positions or page numbers is
    not stated by the service.
    """

    external_id: str = ""
    wallet_transaction_id: str = ""
    from_date: str = ""
    to_date: str = ""
    outlet_id: str = ""
    counter_id: str = ""
    page_start: str = ""
    page_end: str = ""
