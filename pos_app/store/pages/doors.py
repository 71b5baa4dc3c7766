"""The ways in: signing in, its second step, a link, an app's set-up; and one's own account. Decides nothing."""

from __future__ import annotations

from pos_app.i18n.languages import NAMES, languages
from pos_app.store.accounts import totp
from pos_app.store.accounts.accounts import Reader
from pos_app.store.accounts.passwords import MOST, PasswordProblem
from pos_app.store.pages.asking import Page, form_of
from pos_app.store.pages.html import Element, h
from pos_app.store.pages.parts import Speech, button, choices, field, link_button, name, qr, said


def sign_in(speech: Speech, store: str, typed: str = "", problem: str = "", told: str = "") -> Page:
    """Name and password. `told`: why somebody stands here again."""
    words = speech.words
    form = h(
        "form",
        field(words.NAME, "name", value=typed, most=40, complete="username"),
        field(words.PASSWORD, "password", kind="password", most=MOST, complete="current-password"),
        h("div", button(words.SIGN_IN, first=True), class_="acts"),
        method="post",
        action=f"/in?language={speech.language}",
        class_="fields",
    )
    before, _, behind = words.SIGN_IN_TO.format(store="\0").partition("\0")
    body = h(
        "section",
        h("h1", before, name(store), behind),
        said(problem, "bad", "warning", role="alert") if problem else None,
        said(told, "calm", "lock") if told else None,
        form,
        h("p", words.LOST_PASSWORD, class_="small muted"),
        class_="card",
    )
    return Page(title=words.SIGN_IN, body=(body,), narrow=True, status=401 if problem else 200)


def code(speech: Speech, reader: Reader, problem: str = "") -> Page:
    """The second step."""
    words = speech.words
    body = h(
        "section",
        h("h1", words.CODE_TITLE),
        said(problem, "bad", "warning", role="alert") if problem else None,
        form_of(
            reader,
            "/in/code",
            field(words.CODE, "code", hint=words.CODE_HINT, most=40, complete="one-time-code"),
            h("div", button(words.GO_ON, first=True), class_="acts"),
        ),
        form_of(reader, "/out", h("div", button(words.SIGN_OUT), class_="acts")),
        class_="card",
    )
    return Page(title=words.CODE_TITLE, body=(body,), narrow=True, status=401 if problem else 200)


def link(speech: Speech, token: str, called: str, shown: str, problem: PasswordProblem | None = None) -> Page:
    """A new password."""
    words = speech.words
    before, _, behind = words.WELCOME.format(name="\0").partition("\0")
    first, _, last = words.LINK_MORE.format(name="\0").partition("\0")
    body = h(
        "section",
        h("h1", before, name(shown), behind),
        h("p", first, h("bdi", called), last, class_="muted"),
        h(
            "form",
            h("input", type="hidden", name="name", value=called, autocomplete="username"),
            *_chosen(speech, problem),
            h("div", button(words.SET_PASSWORD, first=True), class_="acts"),
            method="post",
            action=f"/link/{token}?language={speech.language}",
            class_="fields",
        ),
        class_="card",
    )
    return Page(title=words.SET_PASSWORD, body=(body,), narrow=True, status=422 if problem else 200)


def _chosen(speech: Speech, problem: PasswordProblem | None) -> tuple[Element, Element]:
    words = speech.words
    told = words.PASSWORD_PROBLEM[problem.value] if problem else ""
    again = told if problem is PasswordProblem.NOT_THE_SAME else ""
    return (
        field(words.CHOOSE, "new", kind="password", hint=words.CHOOSE_HINT, problem="" if again else told,
              most=MOST, complete="new-password"),
        field(words.AGAIN, "again", kind="password", problem=again, most=MOST, complete="new-password"),
    )  # fmt: skip


def app(speech: Speech, reader: Reader, secret: bytes, enrolment: str, problem: str = "") -> Page:
    """The app's set-up: a QR code, the same in letters, and a first code as a proof."""
    words = speech.words
    body = h(
        "section",
        h("h1", words.APP_TITLE),
        h("p", words.APP_MORE, class_="muted"),
        qr(enrolment, words.APP_TITLE),
        h("p", words.APP_TYPED, class_="small muted"),
        h("p", h("code", totp.shown_secret(secret))),
        form_of(
            reader,
            "/in/app",
            field(words.APP_CODE, "code", problem=problem, most=10, complete="one-time-code", digits=True),
            h("div", button(words.APP_ON, first=True), class_="acts"),
        ),
        class_="card",
    )
    return Page(title=words.APP_TITLE, body=(body,), narrow=True, status=422 if problem else 200)


def codes(speech: Speech, made: tuple[str, ...]) -> Page:
    """Recovery codes, this once."""
    words = speech.words
    body = h(
        "section",
        h("h1", words.CODES_TITLE),
        said(words.CODES_MORE, "warn", "key"),
        h("ul", [h("li", h("code", each)) for each in made], class_="codes"),
        h("div", link_button(words.CODES_KEPT, "/"), class_="acts only-screen"),
        class_="card",
    )
    return Page(title=words.CODES_TITLE, body=(body,), narrow=True)


def notice(speech: Speech, text: str, status: int) -> Page:
    """What stands in a page's place."""
    back = h("div", link_button(speech.words.BACK_TO_START, "/"), class_="acts")
    body = h("section", said(text, "warn", "warning"), back, class_="card")
    return Page(title=speech.words.TODAY if status == 200 else text, body=(body,), narrow=True, status=status)


def you(
    speech: Speech,
    reader: Reader,
    shops: list[tuple[str, str]],
    codes_left: int,
    *,
    problem: PasswordProblem | None = None,
    old_problem: str = "",
    done: bool = False,
) -> Page:
    """A person's own account: language, password, app, sessions."""
    words = speech.words
    spoken = [(each, NAMES[each], "") for each in languages()]
    rights = h(
        "dl", [[h("dt", name(shop)), h("dd", words.ROLES[role])] for shop, role in shops], class_="pairs"
    )
    language = h(
        "section",
        h("h2", words.LANGUAGE),
        form_of(reader, "/you/language", choices(words.LANGUAGE, "language", spoken, speech.language),
                h("div", button(words.SAVE, first=True), class_="acts")),
        class_="card",
    )  # fmt: skip
    password = h(
        "section",
        h("h2", words.CHANGE_PASSWORD),
        form_of(
            reader,
            "/you/password",
            h("input", type="hidden", name="name", value=reader.name, autocomplete="username"),
            field(words.OLD_PASSWORD, "old", kind="password", problem=old_problem, most=MOST,
                  complete="current-password"),
            *_chosen(speech, problem),
            h("div", button(words.CHANGE_PASSWORD, first=True), class_="acts"),
        ),
        class_="card",
    )  # fmt: skip
    has = said(words.APP_IS_ON, "ok", "lock", words.CODES_LEFT.of(codes_left)) if reader.has_app else None
    second = h(
        "section",
        h("h2", words.APP_TITLE),
        has or said(words.APP_IS_OFF, "warn", "key"),
        h("div", link_button(words.APP_NEW if reader.has_app else words.APP_SET, "/in/app"), class_="acts"),
        class_="card",
    )
    out = form_of(reader, "/you/elsewhere", h("div", button(words.ELSEWHERE), class_="acts"))
    own = h("section", h("h2", words.SHOPS_OF_YOURS), rights, out, class_="card")
    body = (said(words.DONE, "ok", "tick", role="status") if done else None, own, language, password, second)
    return Page(title=words.YOU, body=body, narrow=True, status=422 if problem or old_problem else 200)
