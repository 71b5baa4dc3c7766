"""The one place where a page becomes text: elements with escaped children and checked attributes. Knows no page.

Nothing else of the store may write a "<". A text is data whatever it says: no name, reason or number from outside can
open a tag, leave an attribute, run, or point elsewhere. What must never be written is an error here, not a warning:
handlers and styles in attributes, scripts with a text, and addresses that are not this store's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

Child: TypeAlias = "Element | str | int | Sequence[Child] | None"
Value: TypeAlias = str | int | bool | None

_VOID = frozenset({"br", "circle", "hr", "input", "line", "link", "meta", "path", "rect"})
"""Elements without children; those of SVG are closed."""
_SVG = frozenset({"circle", "line", "path", "rect"})
_ELEMENTS = _VOID | frozenset(
    ("a", "abbr", "article", "aside", "bdi", "body", "button", "caption", "code", "dd", "defs", "details", "div", "dl",
     "dt", "em", "fieldset", "figcaption", "figure", "footer", "form", "g", "h1", "h2", "h3", "head", "header", "html",
     "label", "legend", "li", "main", "nav", "ol", "option", "p", "pattern", "pre", "script", "section", "select",
     "small", "span", "strong", "summary", "svg", "table", "tbody", "td", "text", "textarea", "tfoot", "th", "thead",
     "time", "title", "tr", "ul")
)  # fmt: skip
_NAME = re.compile(r"[a-z][a-zA-Z0-9]*(-[a-z0-9]+)*")
_ADDRESSES = frozenset({"action", "formaction", "href", "src"})
_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127, *range(0xD800, 0xE000)), "\ufffd")
"""What no page may hold: a reader would show them in ways of its own, and a lone surrogate is no UTF-8."""
_TEXT = str.maketrans(_CONTROLS | {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"})
_QUOTED = str.maketrans(_CONTROLS | {ord("&"): "&amp;", ord('"'): "&quot;", ord("<"): "&lt;", ord(">"): "&gt;",
                                     ord("\n"): "&#10;", ord("\r"): "&#13;", ord("\t"): "&#9;"})  # fmt: skip


class Element(msgspec.Struct, frozen=True):
    """A tag, its attributes in their order, and what stands in it. `str()` is its text."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Element | str, ...] = ()

    def __str__(self) -> str:
        return "".join(_written(self))


def h(name: str, /, *children: Child, **attributes: Value) -> Element:
    """An element. None and False among the children and attributes are left out, True is an attribute by its name.

    Attributes are written `class_`, `aria_label`, `data_part`. Raises ValueError for what a page must never hold.
    """
    if name not in _ELEMENTS:
        raise ValueError(f"a page has no element <{name}>")
    said = tuple(_flat(children))
    if said and (name in _VOID or name == "script"):
        raise ValueError(f"<{name}> holds nothing: a script is a file of its own")
    return Element(name, tuple(_checked(name, attributes)), said)


def document(page: Element) -> bytes:
    """A whole page, as it is sent."""
    return f"<!doctype html>\n{page}".encode()


def _checked(element: str, attributes: dict[str, Value]) -> Iterator[tuple[str, str]]:
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        name = key.rstrip("_").replace("_", "-")
        if not _NAME.fullmatch(name) or name.startswith("on") or name in ("style", "srcdoc", "xmlns"):
            raise ValueError(f"a page has no attribute {name}")
        text = name if value is True else str(value)
        if name in _ADDRESSES and not is_own_address(text):
            raise ValueError(f"{name} of <{element}> points away from this store: {text[:80]}")
        yield name, text


def is_own_address(text: str) -> bool:
    """Whether it is a path of this store or a place on the same page: never another host, never a scheme."""
    is_path = text.startswith("/") and not text.startswith("//")
    plain = not set(text) & {"\\", *map(chr, range(33)), "\x7f"}
    return plain and (is_path or text.startswith(("#", "?")))


def _flat(children: Sequence[object]) -> Iterator[Element | str]:
    for each in children:
        if each is None or each is False:
            continue
        if isinstance(each, Element):
            yield each
        elif isinstance(each, (str, int)):
            yield str(each)
        elif isinstance(each, Sequence):
            yield from _flat(each)
        else:
            raise TypeError(f"{type(each).__name__} is no part of a page")


def _written(element: Element) -> Iterator[str]:
    yield f"<{element.name}"
    for name, value in element.attributes:
        yield f' {name}="{value.translate(_QUOTED)}"'
    if element.name in _VOID:
        yield "/>" if element.name in _SVG else ">"
        return
    yield ">"
    if element.name in ("pre", "textarea"):
        yield "\n"  # the first line break behind these is nobody's
    for each in element.children:
        if isinstance(each, Element):
            yield from _written(each)
        else:
            yield each.translate(_TEXT)
    yield f"</{element.name}>"
