"""Gate: who is let in. One person's browser, by an address that works once; nothing that another page might send.

Other programs of this machine can reach the port, and so can pages of other sites through the browser: by a form or
a picture, by a WebSocket (which asks no leave), or under a name of their own that leads to 127.0.0.1. So every request
must name this server as its host and carry the cookie, and a WebSocket must come from a page of this server.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_TOKEN_BYTES: Final = 32


class Gate:
    """Stands before the pages and the WebSocket.

    Args:
        app: what is behind it.
        port: where the server listens.

    Attributes:
        token: lets in whoever shows it first.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app = app
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._pass = secrets.token_urlsafe(_TOKEN_BYTES)
        self._used = False
        # cookies are shared by all ports of a host: two games at once must not push each other out
        self._cookie = f"bluff_{port}"
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._headers = headers(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                kept = [(name, value) for name, value in message.get("headers", []) if name not in self._headers]
                message = {**message, "headers": [*kept, *self._headers.items()]}
            await send(message)

        refused = self._refusal(scope)
        if refused is None:
            await self.app(scope, receive, guarded)
        elif scope["type"] == "http":
            await refused(scope, receive, guarded)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: HTTP status 403

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to whom is not let in, or is sent on; None for who may go through."""
        asked = Headers(scope=scope)
        hosts = asked.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return _plain("This server is reached by the address that it printed, and by no other.", 403)
        origins = asked.getlist("origin")
        if any(origin != f"http://{hosts[0]}" for origin in origins) or (scope["type"] == "websocket" and not origins):
            return _plain("Not from another page.", 403)
        known = self._knows(asked)
        if scope["type"] == "websocket":
            return None if known and scope["path"] == "/ws" else _plain("No.", 403)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Only GET.", 405, {"Allow": "GET, HEAD"})
        if b"token=" in scope["query_string"]:
            return self._by_token(scope, known)
        return None if known else _plain("Open the address that bluff printed: it lets in one browser.", 403)

    def _by_token(self, scope: Scope, known: bool) -> Response:
        """Lets in whoever comes with the token first, and sends it on to an address without it."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        shown = query.get("token", [""])[0].encode("latin-1", "replace")
        right = scope["path"] == "/" and secrets.compare_digest(shown, self.token.encode())
        if not right or (self._used and not known):
            text = "This address has let a browser in already." if right else "Not the address that bluff printed."
            return _plain(f"{text} The game is in the tab that was let in; start bluff again for another.", 403)
        response = RedirectResponse("/", 303)
        if scope["method"] == "GET" and not known:
            self._used = True
            response.set_cookie(self._cookie, self._pass, path="/", httponly=True, samesite="strict")
        return response

    def _knows(self, asked: Headers) -> bool:
        for line in asked.getlist("cookie"):
            try:
                cookie = SimpleCookie(line).get(self._cookie)
            except CookieError:
                continue
            if cookie is not None and secrets.compare_digest(cookie.value.encode(), self._pass.encode()):
                return True
        return False


def headers(port: int) -> Mapping[bytes, bytes]:
    """Headers of every answer: the page may load only what this server has, and nothing may hold or frame it."""
    sockets = f"ws://127.0.0.1:{port} ws://localhost:{port}"  # not every browser counts them among 'self'
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        b"content-security-policy": policy.encode(),
        b"x-content-type-options": b"nosniff",
        b"x-frame-options": b"DENY",
        b"referrer-policy": b"no-referrer",
        b"cross-origin-resource-policy": b"same-origin",
        b"cross-origin-opener-policy": b"same-origin",
        b"cache-control": b"no-store",
    }


def _plain(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)
