"""Which merchant's user calls, and whether that merchant may; it must not read transactions."""

from collections.abc import Mapping

from pos_app.sandbox.accounts import Accounts, User
from pos_app.sandbox.payment_wire import RefusedError, needed
from pos_app.sandbox.replies import problem
from pos_app.sandbox.switches import Switches


def user_of(headers: Mapping[bytes, bytes], accounts: Accounts, switches: Switches) -> User:
    secret_code = headers.get(b"x-merchant-secretcode", b"").decode("latin-1")
    password = headers.get(b"x-merchant-psw", b"").decode("latin-1")
    if not secret_code or not password:
        raise RefusedError("5015", "X-MERCHANT-PSW" if secret_code else "X-MERCHANT-SECRETCODE")
    user = accounts.user(secret_code, password)
    if user is not None:
        return user
    if switches.bad_merchant_credentials == "http_401":
        raise problem("UNAUTHENTICATED", "merchant credentials")
    raise RefusedError("5011", "unknown merchant credentials")


def check_merchant(accounts: Accounts, user: User, merchant: str | None, foreign_code: str) -> None:
    """5015 for no merchant, 5002 for an unknown one, `foreign_code` for one that is not the user's."""
    if needed(merchant, "merchantPgIdentifier") not in accounts.merchants:
        raise RefusedError("5002")
    if merchant != user.merchant:
        raise RefusedError(foreign_code)


def check_admin(user: User) -> None:
    if not user.is_admin:
        raise RefusedError("5011")
