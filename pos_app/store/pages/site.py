"""The owner's page as it is served: who is let in, what each may see, what every answer says to the browser.

A page is drawn in one transaction in which row security shows the shops of whoever asks. A change needs the session's
form token and this page's own origin, and is one transaction with its act. Nothing here reads a payment by itself.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, quote, urlsplit

import msgspec
import psycopg
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from pos_app.domain.secret import Secret
from pos_app.i18n.languages import ENGLISH, languages
from pos_app.store.accounts import tokens
from pos_app.store.accounts.accounts import Accounts, Reader, Sealer, Stage, Wait
from pos_app.store.accounts.passwords import MEMORY_KIB, Busy, Passwords, problem_of
from pos_app.store.database import DOOR, PAGE, Database, Pool
from pos_app.store.pages import doors, figures, frame
from pos_app.store.pages.asking import Address, Ask, NotAllowed, NotThere, Page
from pos_app.store.pages.html import Element, document
from pos_app.store.pages.live import Live, Versions
from pos_app.store.pages.look import icon_file, sheet
from pos_app.store.pages.parts import Speech, speech_in
from pos_app.store.pages.screens import CHANGES, SCREENS, Change, Screen
from pos_app.store.pages.script import SCRIPT
from pos_app.store.receive import Refused
from pos_app.store.running import is_loopback
from pos_app.store.server import body_of

COOKIE = "__Host-pos-app-store"
FORM_MOST, FIELDS_MOST = 64 << 10, 40
STREAMS_MOST, STREAMS_EACH = 500, 12
BEAT_S, ANEW_S = 10.0, 30.0
"""A stream says that it lives so often, and draws anew at least so often: an age grows without any change."""

_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With "no-referrer" a browser would hide the origin of a form, by which a form of another page is told.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "cache-control": "no-store",
}


class PageConfig(msgspec.Struct, frozen=True, kw_only=True):
    """How the page is reached. `is_tls`: here or at a proxy; without it the page is for this machine alone.

    `key`: 32 bytes that seal secrets in the database, kept outside it. `needs_app`: a password alone is not enough;
    always so where others than this machine reach the page. `pin`: of the certificate, shown with a joining code.
    """

    key: bytes
    is_tls: bool = False
    pin: str = ""
    needs_app: bool = True
    password_cost: int = MEMORY_KIB
    tick_s: float = 1.0


class _Out(Exception):
    """Nobody is in: look at the sign-in."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class _Foreign(Exception):
    """A form, or an address, that is not this page's."""


class Site:
    """The page. One for each running store."""

    def __init__(self, database: Database, config: PageConfig) -> None:
        self._config = config
        self._pages = Pool(database, PAGE, 6)
        self._door = Pool(database, DOOR, 4)
        self._passwords = Passwords(config.password_cost)
        self._live = Live(self._pages, config.tick_s)
        self._store = ""
        self._streams: dict[int, int] = {}
        self._accounts: Accounts | None = None

    async def start(self) -> None:
        """Nothing is needed: the database may be away yet."""

    async def stop(self) -> None:
        """Ends streams, threads and connections."""
        await self._live.stop()
        self._passwords.close()
        await self._pages.close()
        await self._door.close()

    def routes(self) -> list[BaseRoute]:
        """Every page, form, stream and file."""
        own: list[BaseRoute] = [
            self._route("/in", self._sign_in_page),
            self._route("/in", self._sign_in, "POST"),
            self._route("/in/code", self._code_page),
            self._route("/in/code", self._code, "POST"),
            self._route("/in/app", self._app_page),
            self._route("/in/app", self._app, "POST"),
            self._route("/link/{token}", self._link_page),
            self._route("/link/{token}", self._link, "POST"),
            self._route("/out", self._sign_out, "POST"),
            self._route("/you", self._you_page),
            self._route("/you/language", self._you_language, "POST"),
            self._route("/you/password", self._you_password, "POST"),
            self._route("/you/elsewhere", self._you_elsewhere, "POST"),
            self._route("/live", self._stream),
            self._file("/page/look.css", sheet(), "text/css; charset=utf-8"),
            self._file("/page/live.js", SCRIPT, "text/javascript; charset=utf-8"),
            self._file("/page/icon.svg", icon_file("shop"), "image/svg+xml"),
        ]
        own += [self._route(each.path, self._drawing(each)) for each in SCREENS]
        own += [self._route(each.path, self._changing(each), "POST") for each in CHANGES]
        return own

    # What every call passes

    def _route(
        self, path: str, serve: Callable[[Request], Awaitable[Response]], method: str = "GET"
    ) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                self._own_origin(request)
                return self._sealed(await serve(request))
            except _Out as out:
                response = RedirectResponse(out.path, 303)
                if COOKIE in request.cookies and out.path.startswith("/in?"):
                    self._give_cookie(response, "")
                return self._sealed(response)
            except (NotAllowed, NotThere, _Foreign, Refused, Busy, psycopg.Error, OSError) as error:
                return self._sealed(self._sorry(request, error))
            except ClientDisconnect:
                return Response(status_code=400)

        return Route(path, endpoint, methods=[method])

    def _file(self, path: str, content: bytes, kind: str) -> Route:
        async def endpoint(_: Request) -> Response:
            response = self._sealed(Response(content, media_type=kind))
            response.headers["cache-control"] = "max-age=300"
            return response

        return Route(path, endpoint)

    def _sorry(self, request: Request, error: Exception) -> Response:
        speech = self._speech(request, None)
        words = speech.words
        match error:
            case NotAllowed():
                page = doors.notice(speech, words.NOT_ALLOWED, 403)
            case NotThere():
                page = doors.notice(speech, words.NOT_FOUND, 404)
            case _Foreign() | Refused():
                page = doors.notice(speech, words.FORM_OLD, 403)
            case Busy():
                page = doors.notice(speech, words.BUSY, 503)
            case _:
                page = doors.notice(speech, words.STORE_DOWN, 503)
        return self._drawn(
            frame.door_of(speech, self._store, page, figures.machine_now(), "/in"), page.status
        )

    def _sealed(self, response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if self._config.is_tls:
            response.headers["strict-transport-security"] = "max-age=31536000"
        return response

    def _own_origin(self, request: Request) -> str:
        """This page's origin as the browser names it. Raises _Foreign: another name, or a form from elsewhere."""
        host = request.headers.get("host", "")
        own = f"{'https' if self._config.is_tls else 'http'}://{host}"
        # Under TLS the certificate says who this is; without it another name that leads here is somebody's trick.
        if not self._config.is_tls and not _is_loopback(own):
            raise _Foreign
        if request.method == "POST":
            said = request.headers.get("origin")
            if said is None and request.headers.get("sec-fetch-site") != "same-origin":
                raise _Foreign
            if said is not None and said != own:
                raise _Foreign
        return own

    async def _form(self, request: Request, reader: Reader | None) -> dict[str, str]:
        """What was filled in. Raises _Foreign: not on a page of this session; Refused: too long, too slow."""
        body = await body_of(request, FORM_MOST)
        try:
            form = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FIELDS_MOST))
        except ValueError as error:
            raise _Foreign from error
        if reader is not None and not tokens.is_form_token(form.get("form", ""), reader.token):
            raise _Foreign
        return {key: text.replace("\0", "") for key, text in form.items()}

    def _speech(self, request: Request, reader: Reader | None) -> Speech:
        asked = [request.query_params.get("language", "")]
        if reader is not None:
            asked = [reader.language]
        else:
            asked += [
                each.split(";")[0].strip()[:2]
                for each in request.headers.get("accept-language", "").split(",")
            ]
        return speech_in(next((each for each in asked if each in languages()), ENGLISH))

    async def _known(self) -> Accounts:
        if self._accounts is None:
            async with self._door.lend() as connection:
                row = await (await connection.execute("SELECT name FROM store")).fetchone()
            self._store = row[0] if row else ""
            self._accounts = Accounts(
                self._door, self._passwords, Sealer(self._config.key), needs_app=self._config.needs_app,
                store_name=self._store,
            )  # fmt: skip
        return self._accounts

    async def _reader(self, request: Request, stage: Stage = Stage.IN, *, touch: bool = True) -> Reader:
        """Who asks. Raises _Out: nobody, or somebody who has not come so far."""
        token = request.cookies.get(COOKIE, "")
        accounts = await self._known()
        reader = await accounts.reader(token, touch=touch) if token else None
        if reader is None:
            raise _Out("/in?ended=1" if token else "/in")
        if reader.stage is not stage:
            raise _Out({Stage.CODE: "/in/code", Stage.APP: "/in/app", Stage.IN: "/"}[reader.stage])
        return reader

    def _give_cookie(self, response: Response, token: str) -> None:
        response.set_cookie(
            COOKIE,
            token,
            path="/",
            secure=True,
            httponly=True,
            samesite="strict",
            max_age=None if token else 0,
        )

    def _to(self, path: str, token: str | None = None) -> Response:
        response = RedirectResponse(path, 303)
        if token is not None:
            self._give_cookie(response, token)
        return response

    def _drawn(self, page: Element, status: int = 200) -> Response:
        return Response(document(page), status, media_type="text/html; charset=utf-8")

    async def _at_the_door(self, request: Request, page: Page, speech: Speech) -> Response:
        await self._known()
        path = quote(request.url.path)
        return self._drawn(frame.door_of(speech, self._store, page, figures.machine_now(), path), page.status)

    # Ways in

    async def _sign_in_page(self, request: Request) -> Response:
        await self._known()
        speech = self._speech(request, None)
        told = speech.words.ENDED if "ended" in request.query_params else ""
        return await self._at_the_door(request, doors.sign_in(speech, self._store, told=told), speech)

    async def _sign_in(self, request: Request) -> Response:
        speech = self._speech(request, None)
        accounts = await self._known()
        form = await self._form(request, None)
        name = form.get("name", "")[:40]
        try:
            found = await accounts.sign_in(name, Secret(form.get("password", "")[:256]))
        except Wait as wait:
            problem = speech.words.WAIT.of(wait.seconds)
        else:
            if found is not None:
                token, stage = found
                return self._to({Stage.CODE: "/in/code", Stage.APP: "/in/app", Stage.IN: "/"}[stage], token)
            problem = speech.words.WRONG
        return await self._at_the_door(request, doors.sign_in(speech, self._store, name, problem), speech)

    async def _code_page(self, request: Request) -> Response:
        reader = await self._reader(request, Stage.CODE)
        speech = self._speech(request, reader)
        return await self._at_the_door(request, doors.code(speech, reader), speech)

    async def _code(self, request: Request) -> Response:
        reader = await self._reader(request, Stage.CODE)
        speech = self._speech(request, reader)
        form = await self._form(request, reader)
        try:
            token = await (await self._known()).give_code(reader, form.get("code", "")[:40], time.time())
        except Wait as wait:
            problem = speech.words.WAIT.of(wait.seconds)
        else:
            if token is not None:
                return self._to("/", token)
            problem = speech.words.CODE_WRONG
        return await self._at_the_door(request, doors.code(speech, reader, problem), speech)

    async def _one_who_may_set_up(self, request: Request) -> Reader:
        try:
            return await self._reader(request, Stage.APP)
        except _Out as out:
            if out.path != "/":
                raise
            return await self._reader(request)

    async def _app_page(self, request: Request) -> Response:
        reader = await self._one_who_may_set_up(request)
        return await self._offer(request, reader, "")

    async def _offer(self, request: Request, reader: Reader, problem: str) -> Response:
        accounts = await self._known()
        speech = self._speech(request, reader)
        secret = await accounts.offered_app(reader)
        page = doors.app(speech, reader, secret, accounts.enrolment(reader, secret), problem)
        return await self._at_the_door(request, page, speech)

    async def _app(self, request: Request) -> Response:
        reader = await self._one_who_may_set_up(request)
        words = self._speech(request, reader).words
        form = await self._form(request, reader)
        try:
            done = await (await self._known()).set_app(reader, form.get("code", "")[:40], time.time())
        except Wait as wait:
            return await self._offer(request, reader, words.WAIT.of(wait.seconds))
        if done is None:
            return await self._offer(request, reader, words.CODE_WRONG)
        token, made = done
        speech = self._speech(request, reader)
        response = await self._at_the_door(request, doors.codes(speech, made), speech)
        self._give_cookie(response, token)
        return response

    async def _link_page(self, request: Request) -> Response:
        speech = self._speech(request, None)
        token = request.path_params["token"]
        found = await (await self._known()).linked(token)
        if found is None:
            return await self._at_the_door(request, doors.notice(speech, speech.words.LINK_OVER, 404), speech)
        return await self._at_the_door(request, doors.link(speech, token, *found), speech)

    async def _link(self, request: Request) -> Response:
        speech = self._speech(request, None)
        accounts = await self._known()
        token = request.path_params["token"]
        form = await self._form(request, None)
        found = await accounts.linked(token)
        if found is not None:
            problem = problem_of(form.get("new", ""), form.get("again", ""), found[0])
            if problem is not None:
                page = doors.link(speech, token, *found, problem)
                return await self._at_the_door(request, page, speech)
            done = await accounts.use_link(token, Secret(form["new"]))
            if done is not None:
                return self._to({Stage.APP: "/in/app"}.get(done[1], "/"), done[0])
        return await self._at_the_door(request, doors.notice(speech, speech.words.LINK_OVER, 404), speech)

    async def _sign_out(self, request: Request) -> Response:
        accounts = await self._known()
        token = request.cookies.get(COOKIE, "")
        reader = await accounts.reader(token) if token else None
        if reader is not None:
            await self._form(request, reader)
            await accounts.sign_out(token)
        return self._to("/in", "")

    # One's own account

    async def _you_page(self, request: Request) -> Response:
        return await self._you(request, await self._reader(request))

    async def _you(self, request: Request, reader: Reader, **problems: object) -> Response:
        accounts = await self._known()
        left = await accounts.codes_left(reader) if reader.has_app else 0
        async with self._asking(request, reader, tuple(reader.shops), None) as ask:
            page = doors.you(
                ask.speech,
                reader,
                [(each.name, reader.shops[each.shop].value) for each in ask.shops],
                left,
                done="done" in request.query_params,
                **problems,  # type: ignore[arg-type]
            )
            return self._drawn(frame.page_of(ask, page, await self._rooms(ask), "/you"), page.status)

    async def _you_language(self, request: Request) -> Response:
        reader = await self._reader(request)
        form = await self._form(request, reader)
        if form.get("language") in languages():
            await (await self._known()).speak(reader, form["language"])
        return self._to("/you?done=1")

    async def _you_password(self, request: Request) -> Response:
        reader = await self._reader(request)
        words = self._speech(request, reader).words
        form = await self._form(request, reader)
        problem = problem_of(form.get("new", ""), form.get("again", ""), reader.name)
        if problem is not None:
            return await self._you(request, reader, problem=problem)
        old, new = Secret(form.get("old", "")[:256]), Secret(form["new"])
        try:
            if not await (await self._known()).change_password(reader, old, new):
                return await self._you(request, reader, old_problem=words.OLD_WRONG)
        except Wait as wait:
            return await self._you(request, reader, old_problem=words.WAIT.of(wait.seconds))
        return self._to("/you?done=1")

    async def _you_elsewhere(self, request: Request) -> Response:
        reader = await self._reader(request)
        await self._form(request, reader)
        await (await self._known()).sign_out_elsewhere(reader)
        return self._to("/you?done=1")

    # Screens and changes

    @asynccontextmanager
    async def _asking(
        self, request: Request, reader: Reader, shops: tuple[int, ...], form: Mapping[str, str] | None
    ) -> AsyncIterator[Ask]:
        """A transaction that shows these shops, or the one of them that was chosen. Raises NotAllowed: none is left."""
        if not shops:
            raise NotAllowed
        async with self._pages.for_shops(shops) as connection:
            await connection.execute("SELECT set_config('pos.account', %s, true)", (str(reader.account),))
            own = await figures.shops(connection)
            asked = request.query_params.get("shop", "")
            chosen = next((each.shop for each in own if str(each.shop) == asked), 0) if form is None else 0
            if chosen:
                await connection.execute("SELECT set_config('pos.shops', %s, true)", (str(chosen),))
            yield Ask(
                reader=reader,
                speech=self._speech(request, reader),
                connection=connection,
                now=await figures.now_of(connection),
                store=self._store,
                shops=own,
                shop=chosen,
                address=Address(self._own_origin(request), self._config.pin),
                accounts=await self._known(),
                query={**request.query_params, **request.path_params},
                form=form or {},
            )

    async def _rooms(self, ask: Ask) -> list[frame.Room]:
        waits = await figures.how_many_need(ask.connection)
        return [
            frame.Room(
                each.path,
                each.sign,
                getattr(ask.speech.words, each.title),
                waits if each.path == "/attention" else 0,
            )
            for each in SCREENS
            if each.title and ask.reader.with_role(each.needs)
        ]

    def _drawing(self, screen: Screen) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            reader = await self._reader(request)
            async with self._asking(request, reader, reader.with_role(screen.needs), None) as ask:
                page = await screen.draw(ask)
                rooms = await self._rooms(ask)
            return self._drawn(frame.page_of(ask, page, rooms, screen.path), page.status)

        return endpoint

    def _changing(self, change: Change) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            reader = await self._reader(request)
            form = await self._form(request, reader)
            async with self._asking(request, reader, reader.with_role(change.needs), form) as ask:
                done = await change.do(ask)
                rooms = await self._rooms(ask)
            if isinstance(done, str):
                return self._to(done)
            return self._drawn(frame.page_of(ask, done, rooms, change.path), done.status)

        return endpoint

    # The stream

    async def _stream(self, request: Request) -> Response:
        screen = next(
            (each for each in SCREENS if each.parts and each.name == request.query_params.get("of")), None
        )
        if screen is None:
            raise NotThere
        try:
            reader = await self._reader(request, touch=False)
        except _Out:
            # Of any other answer a browser hears no more than that there is none: it would call the line lost.
            return Response(_event("over", ""), media_type="text/event-stream")
        if not reader.with_role(screen.needs):
            raise NotAllowed
        if (
            sum(self._streams.values()) >= STREAMS_MOST
            or self._streams.get(reader.account, 0) >= STREAMS_EACH
        ):
            raise Busy
        told = self._told(request, screen, reader)
        return StreamingResponse(told, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _told(self, request: Request, screen: Screen, reader: Reader) -> AsyncIterator[bytes]:
        """Parts that changed, and that it lives; ends with the session, or when nothing can be asked any more."""
        self._streams[reader.account] = self._streams.get(reader.account, 0) + 1
        shops = reader.with_role(screen.needs)
        try:
            with self._live.watching(shops):
                yield b"retry: 2000\n\n"
                async for each in self._changes(request, screen, reader):
                    yield each
        finally:
            self._streams[reader.account] -= 1

    async def _changes(self, request: Request, screen: Screen, reader: Reader) -> AsyncIterator[bytes]:
        sent: dict[str, str] = {}
        versions: Versions = {}
        drawn = beat = 0.0
        accounts = await self._known()
        while True:
            now = time.monotonic()
            if now - beat >= BEAT_S or not drawn:
                still = await accounts.reader(reader.token, touch=False)
                if still is None or still.stage is not Stage.IN or not still.with_role(screen.needs):
                    yield _event("over", "")
                    return
                reader = still
            shops = reader.with_role(screen.needs)
            looked = await self._live.next(shops)
            if looked is None:
                return
            if looked != versions or now - drawn >= ANEW_S:
                parts = await self._draw_parts(request, screen, reader)
                if parts is None:
                    # What stands there is older than the sign of life would say: the line is lost, and tried anew.
                    return
                for part, html in parts.items():
                    if sent.get(part) != html:
                        sent[part] = html
                        yield _event("part", msgspec.json.encode({"part": part, "html": html}).decode())
                versions, drawn, beat = looked, now, 0.0
            if now - beat >= BEAT_S:
                beat = now
                yield _event("at", f"{figures.machine_now():%H:%M:%S}")

    async def _draw_parts(self, request: Request, screen: Screen, reader: Reader) -> dict[str, str] | None:
        """None: they cannot be read now."""
        if screen.parts is None:
            return {}
        try:
            async with self._asking(request, reader, reader.with_role(screen.needs), None) as ask:
                return {name: str(part) for name, part in (await screen.parts(ask)).items()}
        except (psycopg.Error, OSError, NotAllowed):
            return None


def _event(kind: str, text: str) -> bytes:
    return f"event: {kind}\ndata: {text}\n\n".encode()


def _is_loopback(origin: str) -> bool:
    try:
        return is_loopback(urlsplit(origin).hostname)
    except ValueError:
        return False
