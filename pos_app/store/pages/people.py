"""The screen People: who may read a shop's page, with which role. For its owners; a change is written with its act."""

from __future__ import annotations

from pos_app.domain.text import is_plain
from pos_app.store import acts
from pos_app.store.accounts.accounts import NAME, SHOWN_MOST, Role, Taken
from pos_app.store.pages import figures
from pos_app.store.pages.asking import Ask, NotAllowed, NotThere, Page
from pos_app.store.pages.figures import Person
from pos_app.store.pages.html import Element, h
from pos_app.store.pages.parts import button, chip, choices, field, link_button, name, said, table, when

LOGIN_EXAMPLE = "nimali.perera"
_SIGNS = {"owner": "key", "manager": "person", "reader": "eye"}


async def people_page(ask: Ask) -> Page:
    """A card for each shop, and a form to add somebody."""
    words = ask.speech.words
    found = await figures.people(ask.connection)
    cards = [
        _shop(ask, each.shop, each.name, [one for one in found if one.shop == each.shop])
        for each in ask.shops
    ]
    head = h("p", words.PEOPLE_MORE, class_="muted")
    return Page(title=words.PEOPLE_TITLE, body=(head, cards, _adding(ask, {})))


def _shop(ask: Ask, shop: int, called: str, found: list[Person]) -> Element:
    words = ask.speech.words
    heads = [(words.PERSON_NAME, ""), (words.ROLE, ""), (words.LAST_SEEN, ""), ("", "")]
    lines = [
        h(
            "tr",
            h("th", name(each.shown), h("div", h("bdi", each.name), class_="small muted"), scope="row"),
            h("td", chip(words.ROLES[each.role], "", _SIGNS[each.role])),
            h("td", when(ask.speech, each.seen, ask.now) if each.seen else words.NO_LINK_YET),
            h("td", link_button(words.CHANGE, f"/people/{shop}/{each.account}", of=each.shown), class_="n"),
        )
        for each in found
    ]
    return h("section", h("h2", name(called)), table(heads, lines, called), class_="card")


def _adding(ask: Ask, problems: dict[str, str]) -> Element:
    words, form = ask.speech.words, ask.form
    which = [(str(each.shop), each.name, "") for each in ask.shops]
    shop = (
        choices(words.SHOP, "shop", which, form.get("shop", which[0][0]), problems.get("shop", ""))
        if len(which) > 1
        else h("input", type="hidden", name="shop", value=which[0][0])
    )
    return h(
        "section",
        h("h2", words.ADD_PERSON),
        ask.form_to(
            "/people",
            field(words.PERSON_NAME, "shown", value=form.get("shown", ""), problem=problems.get("shown", ""),
                  hint=words.PERSON_EXAMPLE, most=SHOWN_MOST),
            field(words.NAME, "name", value=form.get("name", ""), problem=problems.get("name", ""),
                  hint=words.LOGIN_HINT, most=40),
            shop,
            _roles(ask, form.get("role", Role.READER.value), problems.get("role", "")),
            h("div", button(words.ADD_PERSON, first=True), class_="acts"),
        ),
        class_="card",
    )  # fmt: skip


def _roles(ask: Ask, chosen: str, problem: str = "") -> Element:
    words = ask.speech.words
    rows = [(each.value, words.ROLES[each.value], words.ROLES_MORE[each.value]) for each in Role]
    return choices(words.ROLE, "role", rows, chosen, problem)


async def add(ask: Ask) -> Page:
    """A new account with its link, or the form again with what is wrong."""
    words, form = ask.speech.words, ask.form
    shown, called = " ".join(form.get("shown", "").split()), form.get("name", "").strip().lower()
    problems = {}
    if not 1 <= len(shown) <= SHOWN_MOST or not is_plain(shown):
        problems["shown"] = words.PERSON_PROBLEM.format(example=words.PERSON_EXAMPLE)
    if not NAME.fullmatch(called):
        problems["name"] = words.LOGIN_PROBLEM.format(example=LOGIN_EXAMPLE)
    if form.get("role", "") not in [*Role]:
        problems["role"] = words.ROLE_PROBLEM
    shop = _whole(form.get("shop", ""))
    if not ask.may(shop, Role.OWNER):
        problems["shop"] = words.SHOP_PROBLEM
    if not problems:
        try:
            link = await ask.accounts.add(ask.reader, shop, called, shown, Role(form["role"]))
        except Taken:
            problems["name"] = words.LOGIN_TAKEN.format(example=f"{called[:37]}.2")
        else:
            return _link(ask, shown, link)
    return Page(title=words.ADD_PERSON, body=(_adding(ask, problems),), status=422, narrow=True)


def _link(ask: Ask, shown: str, link: str) -> Page:
    words = ask.speech.words
    before, _, behind = words.LINK_FOR.format(name="\0").partition("\0")
    body = h(
        "section",
        h("h2", before, name(shown), behind),
        said(words.LINK_GIVE.format(name=f"\u2068{shown}\u2069"), "warn", "key"),
        h("p", h("code", f"{ask.address.origin}/link/{link}")),
        h("div", link_button(words.PEOPLE, "/people"), class_="acts"),
        class_="card",
    )
    return Page(title=words.NEW_LINK, body=(body,), narrow=True)


async def _person(ask: Ask) -> Person:
    """Whom the address names. Raises NotThere, NotAllowed."""
    shop, account = _whole(ask.query["shop"]), _whole(ask.query["account"])
    if not ask.may(shop, Role.OWNER):
        raise NotThere
    for each in await figures.people(ask.connection):
        if (each.shop, each.account) == (shop, account):
            return each
    raise NotThere


async def person_page(ask: Ask) -> Page:
    """One person's role at one shop, a new link, and taking the right away."""
    return _asking(ask, await _person(ask), "")


def _asking(ask: Ask, person: Person, problem: str) -> Page:
    words = ask.speech.words
    at = f"/people/{person.shop}/{person.account}"
    pairs = h(
        "dl",
        h("dt", words.NAME), h("dd", h("bdi", person.name)),
        h("dt", words.SHOP), h("dd", name(ask.name_of(person.shop))),
        h("dt", words.LAST_SEEN), h("dd", when(ask.speech, person.seen, ask.now) if person.seen else words.NO_LINK_YET),
        class_="pairs",
    )  # fmt: skip
    away = words.TAKE_AWAY_MORE.format(
        name=f"\u2068{person.shown}\u2069", shop=f"\u2068{ask.name_of(person.shop)}\u2069"
    )
    body = h(
        "section",
        h("h2", name(person.shown)),
        said(problem, "bad", "warning", role="alert") if problem else None,
        pairs,
        ask.form_to(
            f"{at}/role",
            _roles(ask, person.role),
            h("div", button(words.CHANGE_ROLE, first=True), class_="acts"),
        ),
        class_="card",
    )
    link = h(
        "section",
        h("h2", words.NEW_LINK),
        h("p", words.LOST_PASSWORD, class_="muted"),
        ask.form_to(f"{at}/link", h("div", button(words.NEW_LINK), class_="acts")),
        class_="card",
    )
    gone = h(
        "section",
        h("h2", words.TAKE_AWAY),
        h("p", away, class_="muted"),
        ask.form_to(f"{at}/away", h("div", button(words.TAKE_AWAY, bad=True), class_="acts")),
        class_="card",
    )
    back = h("div", link_button(words.CANCEL, "/people", "back"), class_="acts only-screen")
    status = 422 if problem else 200
    return Page(title=words.PEOPLE_TITLE, body=(body, link, gone, back), status=status, narrow=True)


async def _is_last_owner(ask: Ask, person: Person) -> bool:
    await ask.connection.execute("SELECT 1 FROM reader WHERE shop = %s FOR UPDATE", (person.shop,))
    owners = [
        each
        for each in await figures.people(ask.connection)
        if each.shop == person.shop and each.role == "owner"
    ]
    return [each.account for each in owners] == [person.account]


async def give_role(ask: Ask) -> Page | str:
    """Another role at this shop, from the next call on."""
    person = await _person(ask)
    role = ask.form.get("role", "")
    if role not in [*Role]:
        return _asking(ask, person, ask.speech.words.ROLE_PROBLEM)
    if role != Role.OWNER and await _is_last_owner(ask, person):
        return _asking(ask, person, ask.speech.words.LAST_OWNER)
    subject = f"{person.shown} ({person.name}, {role})"
    await acts.write(ask.connection, ask.act("role_given", shop=person.shop, subject=subject))
    await ask.connection.execute(
        "UPDATE reader SET role = %s, since = now() WHERE account = %s AND shop = %s",
        (role, person.account, person.shop),
    )
    return "/people"


async def take_away(ask: Ask) -> Page | str:
    """No right at this shop any more, from the next call on."""
    person = await _person(ask)
    if await _is_last_owner(ask, person):
        return _asking(ask, person, ask.speech.words.LAST_OWNER)
    subject = f"{person.shown} ({person.name})"
    await acts.write(ask.connection, ask.act("right_taken", shop=person.shop, subject=subject))
    await ask.connection.execute(
        "DELETE FROM reader WHERE account = %s AND shop = %s", (person.account, person.shop)
    )
    return "/people"


async def new_link(ask: Ask) -> Page:
    """A link for whoever lost a password or a phone."""
    person = await _person(ask)
    link = await ask.accounts.new_link(ask.reader, person.shop, person.account)
    if link is None:
        raise NotAllowed
    return _link(ask, person.shown, link)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
