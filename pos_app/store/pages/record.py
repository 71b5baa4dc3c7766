"""The screen Acts: what was changed by hand, by whom and why, and the head of the chain they stand in."""

from __future__ import annotations

from pos_app.store.acts import Line
from pos_app.store.pages import figures
from pos_app.store.pages.asking import Ask, Page
from pos_app.store.pages.html import Child, Element, h
from pos_app.store.pages.parts import link_button, name, table, when


async def acts_page(ask: Ask) -> Page:
    """The newest first."""
    words = ask.speech.words
    before = ask.query.get("before", "")
    lines = await figures.acts(
        ask.connection, int(before) if before.isascii() and before.isdigit() and len(before) < 16 else 0
    )
    number, mac = await figures.act_head(ask.connection)
    heads = [(words.TIME, ""), (words.WHO, ""), (words.DONE_COLUMN, ""), (words.REASON, "")]
    listed = (
        table(heads, [_line(ask, each) for each in lines], words.ACTS) if lines else h("p", words.ACTS_NONE)
    )
    older = (
        link_button(words.OLDER, f"/acts?before={lines[-1].number}")
        if len(lines) == figures.ACTS_MOST
        else None
    )
    chain = h("p", f"{words.HEAD}: ", h("code", f"{number} {mac.hex()[:32]}"), class_="small muted")
    body = h("section", listed, h("div", older, class_="acts") if older else None, chain, class_="card")
    return Page(title=words.ACTS, body=(h("p", words.ACTS_MORE, class_="muted"), body))


def _line(ask: Ask, line: Line) -> Element:
    words, act = ask.speech.words, line.act
    shop = ask.name_of(act.shop)
    where = h("div", name(shop), class_="small muted") if ask.several and shop else None
    who: Child = name(act.who) if act.who else words.COMMAND_LINE
    told = words.ACT.get(act.kind) or words.ACT_OTHER.replace("{kind}", act.kind)
    before, _, behind = told.partition("{subject}")
    subject = name(act.subject) if act.subject and "{subject}" in told else None
    return h(
        "tr",
        h("td", when(ask.speech, line.at, ask.now)),
        h("td", who, where),
        h("td", before, subject, behind),
        h("td", name(act.reason) if act.reason else "–"),
    )
