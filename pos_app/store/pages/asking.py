"""A question to the page: who asks, in which language, about which shops, on which connection; and the answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from pos_app.domain.text import typed_text
from pos_app.store.accounts.accounts import Accounts, Reader, Role
from pos_app.store.accounts.tokens import form_token
from pos_app.store.acts import Act
from pos_app.store.database import Connection
from pos_app.store.pages.figures import Shop
from pos_app.store.pages.html import Child, Element, h
from pos_app.store.pages.parts import Speech


class Address(msgspec.Struct, frozen=True):
    """Where this store is reached: `origin` as a browser names it; `pin`: of its certificate, "" without one."""

    origin: str
    pin: str = ""


REASON_LEAST, REASON_MOST = 3, 200
"""Letters of a reason, as they can be read."""


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A signed-in reader's question. `connection` is a transaction that shows the shops of `own`, and no other.

    `shops`: all that this reader may see on the screen that is asked for; `shop`: the one chosen among them, 0 for
    all; `form` and `query` are as they came.
    """

    reader: Reader
    speech: Speech
    connection: Connection
    now: datetime
    store: str
    shops: tuple[Shop, ...]
    shop: int
    address: Address
    accounts: Accounts
    query: Mapping[str, str] = {}
    form: Mapping[str, str] = {}

    @property
    def several(self) -> bool:
        """Whether a shop has to be named beside what is its."""
        return len(self.shops) > 1

    def name_of(self, shop: int) -> str:
        """What a shop is called; "" for one that is not this reader's."""
        return next((each.name for each in self.shops if each.shop == shop), "")

    def may(self, shop: int, needed: Role) -> bool:
        """Whether the reader has this role at a shop."""
        role = self.reader.shops.get(shop)
        return role is not None and role.may(needed)

    def act(self, kind: str, *, shop: int = 0, subject: str = "", reason: str = "") -> Act:
        """What this reader does, to be written with it."""
        reader = self.reader
        return Act(
            kind=kind, shop=shop, account=reader.account, who=reader.shown, subject=subject, reason=reason
        )

    def reason(self) -> tuple[str, str]:
        """Why somebody does what the form asks for, as it is kept and as it was typed; "" for what is none."""
        typed = " ".join(self.form.get("reason", "").split())
        kept = typed_text(typed, REASON_MOST)
        is_one = len(typed) <= REASON_MOST and len(kept) >= REASON_LEAST
        return (kept if is_one else ""), typed

    def form_to(self, action: str, *children: Child, css: str = "fields") -> Element:
        """A form of this session: nobody else's page can send it."""
        return form_of(self.reader, action, *children, css=css)


def form_of(reader: Reader, action: str, *children: Child, css: str = "fields") -> Element:
    """A form of this person's session."""
    token = h("input", type="hidden", name="form", value=form_token(reader.token))
    return h("form", token, *children, method="post", action=action, class_=css)


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """What a screen answers: its heading and what stands under it. `parts` names what is kept live."""

    title: str
    body: tuple[Child, ...]
    parts: tuple[str, ...] = ()
    status: int = 200
    narrow: bool = False


class NotAllowed(Exception):
    """The role does not include it, or what it is about is nobody's whom this reader may see."""


class NotThere(Exception):
    """There is no such thing for this reader."""
