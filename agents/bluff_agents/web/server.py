"""Server: one room on a port of this machine, for one person's browser."""

from __future__ import annotations

import contextlib
import errno
import json
import socket
import sys
import threading
import traceback
from typing import Final

import anyio
import anyio.to_thread
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bluff_agents.web.files import pages
from bluff_agents.web.gate import Gate
from bluff_agents.web.messages import MOST_BYTES, MessageError, parsed
from bluff_agents.web.room import Answer, Room, Told, trouble
from bluff_env import BluffError

_HOST: Final = "127.0.0.1"
#: Bytes of a frame that is not even read, a connection with such a one is closed.
_MOST_FRAME: Final = 8 * MOST_BYTES
#: Tabs open at once.
_MOST_TABS: Final = 16
#: Seconds that a tab may take over what it is told, and that open connections get in the end.
_PATIENCE: Final = 5.0


class ServerError(BluffError):
    """No server can be had: the port is taken."""


class Server:
    """Shows a room to a browser, until it is told to stop.

    The port is taken at once; `run` answers on it.

    Args:
        room: what is shown.
        port: 0: any that is free.

    Raises:
        ServerError: the port cannot be had.
    """

    def __init__(self, room: Room, port: int = 0) -> None:
        self.room = room
        self._socket = _listening(port)
        self.port: int = self._socket.getsockname()[1]
        self._pages = pages()
        self._tabs: set[WebSocket] = set()
        self._turns: anyio.Lock | None = None
        routes = [WebSocketRoute("/ws", self._tab), Route("/{path:path}", self._page)]
        self._gate = Gate(Starlette(routes=routes), self.port)
        config = uvicorn.Config(
            self._gate,
            lifespan="off",
            log_level="critical",
            access_log=False,
            server_header=False,
            ws_max_size=_MOST_FRAME,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """What to open in a browser; it lets in one."""
        return f"http://{_HOST}:{self.port}/?token={self._gate.token}"

    def run(self) -> None:
        """Answers until Ctrl-C (then it returns), or `stop`."""
        try:
            with contextlib.suppress(KeyboardInterrupt):
                self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        """Ends `run`, from another thread."""
        self._server.should_exit = True

    async def _page(self, request: Request) -> Response:
        found = self._pages.get(request.url.path)
        if found is None:
            return PlainTextResponse("There is no such page.\n", 404)
        content, kind = found
        return Response(content, media_type=None, headers={"Content-Type": kind})

    async def _tab(self, tab: WebSocket) -> None:
        """One tab, from its coming to its going."""
        await tab.accept()
        if self._turns is None:
            self._turns = anyio.Lock()  # belongs to the loop that the server runs in
        try:
            async with self._turns:
                if len(self._tabs) >= _MOST_TABS:
                    await tab.close(1013)
                    return
                for told in await anyio.to_thread.run_sync(self.room.welcome):
                    if not await self._tell(tab, told):
                        return
                self._tabs.add(tab)
            while True:
                received = await tab.receive()
                if received["type"] == "websocket.disconnect":
                    return
                async with self._turns:
                    answer = await anyio.to_thread.run_sync(self._answer, received.get("text"))
                    await self._send(tab, answer)
                if tab not in self._tabs:
                    return  # it was given up
        except (WebSocketDisconnect, RuntimeError):
            return  # it has gone, perhaps while it was written to
        finally:
            self._tabs.discard(tab)

    def _answer(self, text: str | None) -> Answer:
        """What follows from what has come; whatever that was, the game goes on."""
        try:
            return self.room.answer(parsed(text, self.room.forms))
        except MessageError as error:
            return Answer([trouble(str(error))])
        except Exception as error:  # an agent's own code, or ours
            _say(error)
            return Answer([trouble("something failed; the terminal says what. Nothing has been played.")])

    async def _send(self, sender: WebSocket, answer: Answer) -> None:
        for told in answer.sender:
            if not await self._tell(sender, told):
                break
        for told in answer.everybody:
            for tab in list(self._tabs):
                await self._tell(tab, told)

    async def _tell(self, tab: WebSocket, told: Told) -> bool:
        """Sends a message. False where the tab has gone or takes too long; it is given up, and the others go on."""
        with anyio.move_on_after(_PATIENCE), contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await tab.send_text(_text(told))
            return True
        self._tabs.discard(tab)
        return False


def serve(room: Room, port: int = 0, what: str = "game", opened: bool = False) -> None:
    """Prints the address, and shows the room there until Ctrl-C.

    Args:
        room: what is shown.
        port: as of `Server`.
        what: what the line above the address says is open there.
        opened: opens the address in the browser too.

    Raises:
        ServerError: the port cannot be had.
    """
    server = Server(room, port)
    print(f"Open in a browser on this machine (the address lets in one; Ctrl-C ends the {what}):")
    print(server.address, flush=True)
    if opened:
        import webbrowser

        threading.Timer(0.5, webbrowser.open, (server.address,)).start()
    server.run()


def _text(told: Told) -> str:
    """A message in ASCII: a name in a record may hold half a character, which UTF-8 cannot."""
    return json.dumps(told, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def _say(error: Exception) -> None:
    """What failed, for whoever looks at the terminal. A browser might be told too much."""
    if isinstance(error, BluffError):
        print(f"bluff: {error}", file=sys.stderr, flush=True)
    else:
        traceback.print_exception(error, file=sys.stderr)


def _listening(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((_HOST, port))
        made.listen(16)
    except (OSError, OverflowError) as error:
        made.close()
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "in use" if taken else getattr(error, "strerror", None) or str(error)
        raise ServerError(f"port {port}: {why}") from None
    made.setblocking(False)
    return made
