"""How the owner's page looks: the till's own tokens as a style sheet, and its icons as SVG. No colour is made here.

Everything is sized in rem and laid out by logical sides, so that 200 % text and languages from the right need no rules
of their own. On paper it is black on white, without what only a screen can do.
"""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

from pos_app.store.pages.html import Element, h
from pos_app.system.resources import resources
from pos_app.ui.theme.tokens import DARK, FAMILIES, LIGHT, Tokens

_COLOURS = (
    "bg surface raised text muted line field fieldline hover pressed primary primaryhover primarypressed onprimary "
    "primarysoft ok oksoft onok bad badsoft onbad warn warnsoft onwarn focus off sandbox onsandbox"
)  # fmt: skip

_SHEET = """
*, *::before, *::after { box-sizing: border-box; }
html { font-size: 100%; -webkit-text-size-adjust: 100%; color-scheme: light dark; }
body { margin: 0; background: var(--bg); color: var(--text); font: 1rem/1.5 FAMILIES; overflow-wrap: break-word; }
h1, h2, h3, p, dl, dd, ul, ol, figure, table, fieldset { margin: 0; padding: 0; }
h1 { font-size: 1.625rem; line-height: 1.25; font-weight: 700; }
h2 { font-size: 1.125rem; line-height: 1.35; font-weight: 700; }
h3 { font-size: 1rem; font-weight: 600; }
a { color: var(--primary); text-underline-offset: .2em; }
a:hover { color: var(--primaryhover); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
small, .small { font-size: .875rem; }
.muted { color: var(--muted); }
.figure { font-variant-numeric: tabular-nums; }
.skip { position: absolute; inset-inline-start: 1rem; inset-block-start: -4rem; z-index: 2; padding: .75rem 1rem;
  background: var(--surface); }
.skip:focus { inset-block-start: .5rem; }
.icon { width: 1.25em; height: 1.25em; flex: none; vertical-align: -.25em; }
[dir=rtl] .turns { transform: scaleX(-1); }

.top { background: var(--surface); border-block-end: 1px solid var(--line); }
.top > div { max-width: 76rem; margin-inline: auto; padding: .75rem 1.5rem; display: flex; flex-wrap: wrap;
  align-items: center; gap: .5rem 1rem; }
.brand { display: flex; align-items: center; gap: .625rem; font-weight: 700; font-size: 1.125rem; }
.brand .icon { width: 1.625rem; height: 1.625rem; color: var(--primary); }
.rooms { flex: 1 1 auto; }
.rooms ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; }
.rooms a, .whoami a, .whoami button { display: inline-flex; align-items: center; gap: .375rem; min-height: 3rem;
  padding: .5rem .625rem; border-radius: 14px; color: var(--text); text-decoration: none; font-weight: 600; }
.rooms a:hover, .whoami a:hover, .whoami button:hover { background: var(--hover); }
.rooms a[aria-current] { background: var(--primarysoft); color: var(--primary); }
.whoami { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem; margin-inline-start: auto; }
.whoami form { display: contents; }
.whoami button { border: 0; background: none; font: inherit; font-weight: 600; cursor: pointer; color: var(--muted); }
.whoami a { color: var(--muted); }
.count { min-width: 1.5rem; padding: 0 .4rem; border-radius: 1rem; background: var(--warnsoft); color: var(--warn);
  font-size: .8125rem; font-weight: 700; text-align: center; line-height: 1.5rem; }

main { max-width: 76rem; margin-inline: auto; padding: 1.5rem; display: grid; gap: 1.25rem; }
main > *, .cards > *, .card > * { min-width: 0; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 1.5rem; }
.head p { color: var(--muted); }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 1.25rem 1.5rem;
  display: grid; gap: 1rem; align-content: start; }
.cards { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
.narrow { width: 100%; max-width: 30rem; margin-inline: auto; }
.sums { display: flex; flex-wrap: wrap; gap: .5rem 3rem; align-items: baseline; }
.sum { font-size: clamp(2rem, 5vw, 3.25rem); line-height: 1.1; font-weight: 700; font-variant-numeric: tabular-nums; }
.sum span { font-size: .46em; font-weight: 600; color: var(--muted); margin-inline-end: .5rem; }
.pairs { display: grid; grid-template-columns: minmax(8rem, auto) 1fr; gap: .5rem 1.25rem; }
.pairs dt { color: var(--muted); }
.said { display: flex; gap: .75rem; align-items: flex-start; padding: .875rem 1rem; border-radius: 14px; }
.said .icon { margin-block-start: .125rem; }
.said.warn { background: var(--warnsoft); color: var(--warn); }
.said.bad { background: var(--badsoft); color: var(--bad); }
.said.ok { background: var(--oksoft); color: var(--ok); }
.said.calm { background: var(--primarysoft); color: var(--primary); }
.said > div { color: var(--text); min-width: 0; display: grid; gap: .25rem; }
.said strong { color: inherit; }
.live { display: inline-flex; align-items: center; gap: .5rem; color: var(--muted); font-size: .875rem; }
.live::before { content: ""; width: .625rem; height: .625rem; border-radius: 50%; background: var(--off); flex: none; }
.live.on::before { background: var(--ok); }
.live.lost { color: var(--warn); font-weight: 600; }
.live.lost::before { background: var(--warn); border-radius: 0; }

.scroll { overflow-x: auto; margin-inline: -1.5rem; padding-inline: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; color: var(--muted); font-size: .875rem; padding-block-end: .5rem; }
th { text-align: start; font-size: .8125rem; font-weight: 600; color: var(--muted); vertical-align: bottom; }
th, td { padding: .625rem .875rem; border-block-end: 1px solid var(--line); }
td { vertical-align: top; }
th:first-child, td:first-child { padding-inline-start: 0; }
th:last-child, td:last-child { padding-inline-end: 0; }
tbody th { font-size: 1rem; color: var(--text); vertical-align: top; }
tbody tr:last-child > *, tr.last > [rowspan], tr.more > :not([rowspan]) { border-block-end: 0; }
tr.more > .n { padding-block-end: 0; }
tr.further > :first-child { padding-inline-start: .875rem; }
tr.further > :last-child { padding-inline-end: .875rem; }
.n { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.nowrap { white-space: nowrap; }
tr.quiet > * { color: var(--muted); }
th .small, .choice .small { font-weight: 400; }

.chip { display: inline-flex; align-items: center; gap: .375rem; padding: .125rem .625rem; border-radius: 1rem;
  font-size: .8125rem; font-weight: 600; background: var(--hover); color: var(--text); white-space: nowrap; }
.chip .icon { width: 1em; height: 1em; }
.chip.ok { background: var(--oksoft); color: var(--ok); }
.chip.warn { background: var(--warnsoft); color: var(--warn); }
.chip.bad { background: var(--badsoft); color: var(--bad); }
.chip.sandbox { background: var(--sandbox); color: var(--onsandbox); }
.chips { display: flex; flex-wrap: wrap; gap: .375rem; }

.chart { width: 100%; min-width: 44rem; height: auto; display: block; }
.chart text { fill: var(--text); font-size: 12px; font-weight: 600; }
.chart .axis { fill: var(--muted); font-weight: 400; }
.chart .base { stroke: var(--line); stroke-width: 1; }
.solid { fill: var(--primary); }
.hatched { fill: url(#hatch); stroke: var(--warn); stroke-width: 1; }
.stripe { stroke: var(--warn); stroke-width: 2.5; }
.apart { position: absolute; width: 0; height: 0; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; color: var(--muted);
  font-size: .875rem; }
.legend li { display: inline-flex; align-items: center; gap: .5rem; }
.swatch { width: 1.25rem; height: .875rem; }
figcaption { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; font-weight: 600; }
figure + figure { margin-block-start: 1.25rem; }
details > summary { cursor: pointer; font-weight: 600; color: var(--primary); padding-block: .375rem; }
details[open] > summary { margin-block-end: .5rem; }

form.fields, .fields { display: grid; gap: 1rem; }
.field { display: grid; gap: .375rem; max-width: 30rem; }
.field label, .field legend, legend { font-weight: 600; padding: 0; }
.field .choice { font-weight: 400; }
.field .hint { color: var(--muted); font-size: .875rem; }
.field .problem { color: var(--bad); font-weight: 600; }
input, select, textarea { font: inherit; color: var(--text); background: var(--field);
  border: 1px solid var(--fieldline); border-radius: 6px; padding: .625rem .875rem; min-height: 3rem; width: 100%; }
input[type=radio], input[type=checkbox] { width: 1.25rem; height: 1.25rem; min-height: 0; margin: 0; flex: none;
  accent-color: var(--primary); }
input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; }
fieldset { border: 0; display: grid; gap: .5rem; min-width: 0; }
.choice { display: flex; align-items: flex-start; gap: .625rem; min-height: 2rem; }
.choice input { margin-block-start: .125rem; }
.button, button { font: inherit; font-weight: 700; min-height: 3rem; padding: .625rem 1.25rem; border-radius: 14px;
  cursor: pointer; border: 1px solid var(--fieldline); background: var(--surface); color: var(--text);
  display: inline-flex;
  align-items: center; justify-content: center; gap: .5rem; text-decoration: none; }
.button.small { min-height: 2.5rem; padding: .375rem .875rem; font-size: .875rem; }
.button:hover, button:hover { background: var(--hover); color: var(--text); }
.button.first, button.first { background: var(--primary); border-color: var(--primary); color: var(--onprimary); }
button.first:hover { background: var(--primaryhover); color: var(--onprimary); }
button.first:active { background: var(--primarypressed); }
button.bad { border-color: var(--bad); color: var(--bad); }
button.bad:hover { background: var(--badsoft); color: var(--bad); }
.choose { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
.acts { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.code { font: 700 2rem/1.2 ui-monospace, "Noto Sans Mono", "DejaVu Sans Mono", monospace; letter-spacing: .06em;
  direction: ltr; unicode-bidi: isolate; }
code { font: .9375rem/1.5 ui-monospace, "Noto Sans Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere;
  direction: ltr; unicode-bidi: isolate; }
.codes { columns: 2; column-gap: 2rem; list-style: none; font-variant-numeric: tabular-nums; }
.codes li { padding-block: .25rem; break-inside: avoid; }
.qr { width: 13rem; max-width: 100%; height: auto; background: QRPAPER; border-radius: 6px; }
.qr path { fill: QRINK; }
footer { max-width: 76rem; margin-inline: auto; padding: 0 1.5rem 2rem; color: var(--muted); font-size: .875rem;
  display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; }
footer ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; padding: 0; }

@media (max-width: 40rem) {
  main { padding: 1rem; gap: 1rem; }
  .top > div { padding: .5rem 1rem; }
  .card { padding: 1rem; }
  .scroll { margin-inline: -1rem; padding-inline: 1rem; }
  .codes { columns: 1; }
  .pairs { grid-template-columns: 1fr; gap: 0; }
  .pairs dd { margin-block-end: .625rem; }
}
@media screen and (max-width: 40rem) {
  .stacks thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacks, .stacks tbody, .stacks tr, .stacks tbody th, .stacks td { display: block; }
  .stacks tr { padding-block: .75rem; border-block-end: 1px solid var(--line); }
  .stacks tr:last-child, .stacks tr.more { border-block-end: 0; }
  .stacks tr > *, .stacks tr.further > * { padding: .125rem 0; border-block-end: 0; text-align: start;
    white-space: normal; }
  .stacks td[data-label] { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); column-gap: .75rem; }
  .stacks td[data-label]::before { content: attr(data-label); color: var(--muted); font-size: .875rem;
    grid-row: 1 / span 9; }
  .stacks td > * { grid-column: 2; justify-self: start; }
  .stacks .chip { white-space: normal; }
  .stacks td:empty { display: none; }
  .chart { min-width: 0; overflow: visible; }
  .chart text { font-size: 30px; }
  .chart.many text { font-size: 24px; }
  .chart.many text:not(.axis) { display: none; }
}
@media (forced-colors: active) {
  .chart .solid { fill: CanvasText; }
  .chip, .said, .rooms a[aria-current] { border: 1px solid CanvasText; }
}
@media print {
  html { color-scheme: light; }
  body { background: none; font-size: 10pt; }
  .rooms, .whoami, .skip, .live::before, form, details > summary, .only-screen { display: none !important; }
  main, .top > div, footer { max-width: none; padding-inline: 0; }
  .top { border: 0; }
  .card { border-color: var(--off); break-inside: avoid; }
  .scroll { overflow: visible; margin: 0; padding: 0; }
  .chart { min-width: 0; }
  .chip, .said { border: 1px solid currentColor; background: none !important; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
"""


@cache
def sheet() -> bytes:
    """The whole style sheet, for screens that are light or dark and for paper."""
    families = ", ".join(f'"{each}"' for each in FAMILIES)
    rules = _SHEET.replace("FAMILIES", f"{families}, sans-serif")
    rules = rules.replace("QRPAPER", LIGHT.paper).replace("QRINK", LIGHT.ink)
    dark = f"@media screen and (prefers-color-scheme: dark) {{ {_root(DARK)} }}"
    return f"{_root(LIGHT)}\n{dark}\n{rules}".encode()


def _root(tokens: Tokens) -> str:
    said = " ".join(f"--{name}: {getattr(tokens, name)};" for name in _COLOURS.split())
    return f":root {{ {said} }}"


TURNS = frozenset({"back", "chevron_right", "leave", "refund"})
"""They point where lines go on or came from, and turn with them."""


@cache
def icon(name: str) -> Element:
    """One of the till's icons, in the colour of the text around it; what it means is said beside it, never by it."""
    root = ElementTree.fromstring((resources("icons") / f"{name}.svg").read_bytes())
    shapes = [h(each.tag.rpartition("}")[2], **dict(each.attrib)) for each in root]
    given = {key: value for key, value in root.attrib.items() if key != "viewBox"}
    kind = "icon turns" if name in TURNS else "icon"
    return h("svg", shapes, viewBox=root.attrib["viewBox"], class_=kind, aria_hidden="true", **given)


def icon_file(name: str) -> bytes:
    """The same as a file, for a browser's tab: in the colour of the theme, which no page gives it there."""
    return (resources("icons") / f"{name}.svg").read_bytes().replace(b"currentColor", LIGHT.primary.encode())
