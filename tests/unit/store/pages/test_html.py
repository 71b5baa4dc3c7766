"""Whatever a text says, it is read back as that text: it opens no tag, leaves no attribute, runs nothing."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pos_app.store.pages.html import Element, document, h, is_own_address

HOSTILE = (
    "<script>alert(1)</script>", "</td><img src=x onerror=alert(1)>", '" onmouseover="alert(1)',
    "' autofocus onfocus='x", "&lt;b&gt;", "&amp;#x3c;", "<!--", "-->", "]]>", "</title><svg/onload=x>", "\x00<b>",
    "javascript:alert(1)", "\u202eDIAP", "<<a>>", "&", '"', "\ud800", "\r\n", "a\tb", "{{7*7}}", "</textarea><script>",
)  # fmt: skip
texts = st.one_of(st.sampled_from(HOSTILE), st.text(), st.lists(st.sampled_from(HOSTILE)).map("".join))


class Read(HTMLParser):
    """What a reader of HTML makes of it: tags with attributes, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ends: list[str] = []
        self.text = ""
        self.others = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.ends.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.others += len(data) + 1

    def handle_decl(self, decl: str) -> None:
        self.others += len(decl) + 1

    def handle_pi(self, data: str) -> None:
        self.others += len(data) + 1

    def unknown_decl(self, data: str) -> None:
        self.others += len(data) + 1


def _shown(text: str) -> str:
    """As it may be shown: without control characters."""
    return "".join(
        "\ufffd"
        if (ord(each) < 32 and each not in "\t\n\r") or ord(each) == 127 or 0xD800 <= ord(each) < 0xE000
        else each
        for each in text
    )


@given(texts, texts)
@example("</p>", '"><script>')
def test_a_text_stays_a_text_and_an_attribute_its_own(text: str, value: str) -> None:
    read = Read(str(h("p", h("strong", text, title=value), "end")))
    assert [name for name, _ in read.tags] == ["p", "strong"]
    assert read.tags[1][1] == {"title": _shown(value)}
    assert read.text == _shown(text) + "end"
    assert (read.ends, read.others) == (["strong", "p"], 0)


@given(texts)
def test_a_page_is_utf_8_and_keeps_the_text_of_a_field(text: str) -> None:
    page = document(h("html", h("body", h("textarea", text, name="why")))).decode()
    assert page.startswith("<!doctype html>\n<html>")
    read = Read(page.removeprefix("<!doctype html>"))
    assert read.text.strip("\r\n \t") == _shown(text).strip("\r\n \t")


@given(texts)
def test_an_address_is_this_stores_or_none(text: str) -> None:
    """What the builder lets through is a path, a question or a place on the page."""
    if is_own_address(text):
        assert Read(str(h("a", "x", href=text))).tags == [("a", {"href": text})]
        assert text[0] in "/#?"
        assert text[:2] != "//"
    else:
        with pytest.raises(ValueError, match="points away"):
            h("a", "x", href=text)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "\t/x",
        "/a b",
        "",
        "x",
    ],
)
def test_an_address_of_another_is_refused(address: str) -> None:
    for element, name in (("a", "href"), ("form", "action"), ("script", "src"), ("button", "formaction")):
        with pytest.raises(ValueError, match="points away"):
            h(element, **{name: address})


@pytest.mark.parametrize("name", ["onclick", "onerror", "style", "srcdoc", "a b", 'x"', "", "x>"])
def test_an_attribute_that_runs_or_paints_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a page has no attribute"):
        h("p", "x", **{name: "1"})


@pytest.mark.parametrize(
    "name", ["iframe", "object", "style", "base", "template", "img", "math", "b><script"]
)
def test_an_element_that_no_page_needs_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a page has no element"):
        h(name)


def test_a_script_is_a_file_of_its_own() -> None:
    with pytest.raises(ValueError, match="a file of its own"):
        h("script", "alert(1)")
    assert str(h("script", src="/live.js", defer=True)) == '<script src="/live.js" defer="defer"></script>'


def test_what_is_not_there_is_left_out_and_lists_are_laid_flat() -> None:
    made = h("ul", None, [h("li", 1), [h("li", "two", hidden=False, id=None)]], class_="rows", aria_label="a")
    assert str(made) == '<ul class="rows" aria-label="a"><li>1</li><li>two</li></ul>'
    assert isinstance(made, Element)
    with pytest.raises(TypeError, match="is no part of a page"):
        h("p", object())  # type: ignore[arg-type]
