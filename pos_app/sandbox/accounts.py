"""Who may call: tokens, merchants and their users; it must not know what the operations do."""

from dataclasses import dataclass

from pos_app.sandbox.clock import SandboxClock
from pos_app.sandbox.identity import Identity
from pos_app.sandbox.replies import problem
from pos_app.sandbox.store import Store

EVERYTHING = "payment otp"


@dataclass(frozen=True, slots=True)
class User:
    """A merchant's user; only an admin may initiate and cancel."""

    merchant: str
    secret_code: str
    password: str
    is_admin: bool


@dataclass(frozen=True, slots=True)
class OauthClient:
    client_id: str
    client_secret: str


class Accounts:
    """Owns the live tokens; the users are fixed for the life of the sandbox."""

    def __init__(self, store: Store, identity: Identity, clock: SandboxClock) -> None:
        self._store = store
        self._identity = identity
        self._clock = clock
        self.control_token = identity.token("control")
        self.oauth_client = OauthClient("sandbox-till", identity.token("oauth client"))
        self.admin = self._user("SBX-M-0001", "admin", is_admin=True)
        self.users = (
            self.admin,
            self._user("SBX-M-0001", "viewer", is_admin=False),
            self._user("SBX-M-0002", "admin", is_admin=True),
        )
        self.merchants = frozenset(user.merchant for user in self.users)
        self._by_secrets = {(user.secret_code, user.password): user for user in self.users}
        self._tokens: dict[str, tuple[str, float | None]] = {
            value: (scope, expires) for value, scope, expires in store.every("SELECT * FROM token")
        }
        self.access_token = store.get("access_token") or self.renew_access_token()

    def _user(self, merchant: str, role: str, *, is_admin: bool) -> User:
        secret_code, password = (
            self._identity.token(what, merchant, role) for what in ("secret code", "password")
        )
        return User(merchant, secret_code, password, is_admin)

    def renew_access_token(self) -> str:
        """A new fixed token; the old one is dead at once."""
        number = int(self._store.get("access_token_number") or 0) + 1
        token = self._identity.token("access", number)
        with self._store.writing():
            self._store.change("DELETE FROM token WHERE value = ?", self._store.get("access_token"))
            self._store.change("INSERT INTO token VALUES (?, ?, NULL)", token, EVERYTHING)
            self._store.put("access_token", token)
            self._store.put("access_token_number", str(number))
        self._tokens = {value: held for value, held in self._tokens.items() if held[1] is not None}
        self._tokens[token] = (EVERYTHING, None)
        self.access_token = token
        return token

    def issue_token(self, scope: str, lifetime_s: float) -> str:
        number = int(self._store.get("oauth_number") or 0) + 1
        token = self._identity.token("oauth", number)
        expires_s = self._clock.now_s() + lifetime_s
        with self._store.writing():
            self._store.change("INSERT INTO token VALUES (?, ?, ?)", token, scope, expires_s)
            self._store.put("oauth_number", str(number))
        self._tokens[token] = (scope, expires_s)
        return token

    def check_token(self, authorization: str, scope: str) -> None:
        """`authorization` is the header's text, `scope` "payment" or "otp"."""
        held = self._tokens.get(authorization[7:]) if authorization[:7].lower() == "bearer " else None
        if held is None:
            raise problem("UNAUTHENTICATED")
        scopes, expires_s = held
        if expires_s is not None and expires_s <= self._clock.now_s():
            raise problem("UNAUTHENTICATED", "the token has expired")
        if scope not in scopes:
            raise problem("PERMISSION_DENIED", f"the token does not cover {scope}")

    def user(self, secret_code: str, password: str) -> User | None:
        return self._by_secrets.get((secret_code, password))
