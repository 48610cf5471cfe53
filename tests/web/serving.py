"""A server in a thread, and a client that is nothing but bytes: what goes over the wire, both ways."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from typing import Any

from bluff_agents.web.room import Room
from bluff_agents.web.server import Server

PATIENCE = 240


@contextlib.contextmanager
def served(room: Room) -> Iterator[Server]:
    """The room on a port of this machine."""
    server = Server(room)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def get(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers in small letters, body. The path goes out as it is."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def path_of(server: Server) -> str:
    """The path with the token in it."""
    return server.address.removeprefix(f"http://127.0.0.1:{server.port}")


def let_in(server: Server) -> str:
    """A cookie, in exchange for the token."""
    status, headers, _ = get(server, path_of(server))
    assert status == 303
    return headers["set-cookie"].partition(";")[0]


class Refused(Exception):
    """No WebSocket was opened; its text is the status."""


class Tab:
    """A WebSocket as a browser's tab has it. `received` holds every byte that the server has sent."""

    def __init__(self, server: Server, cookie: str | None, **headers: str | None) -> None:
        origin = f"http://127.0.0.1:{server.port}"
        self.received = b""
        self._at = 0
        self._socket = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        self._socket.settimeout(PATIENCE)
        asked: dict[str, str | None] = {
            "Host": origin.removeprefix("http://"),
            "Origin": origin,
            "Cookie": cookie,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        }
        path = headers.pop("path", "/ws")
        lines = [f"{name}: {value}" for name, value in {**asked, **headers}.items() if value is not None]
        self._socket.sendall("\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode())
        while b"\r\n\r\n" not in self.received:
            self._more()
        status = self.received.split()[1].decode()
        if status != "101":
            self._socket.close()
            raise Refused(status)
        self._at = self.received.index(b"\r\n\r\n") + 4

    def _more(self) -> None:
        got = self._socket.recv(65536)
        if not got:
            raise ConnectionError("the server has closed the connection")
        self.received += got

    def _take(self, count: int) -> bytes:
        while len(self.received) < self._at + count:
            self._more()
        taken = self.received[self._at : self._at + count]
        self._at += count
        return taken

    def frame(self) -> tuple[int, bytes]:
        """The next frame: its opcode and what it holds. The server masks and splits nothing. Pings are answered."""
        first, size = self._take(2)
        assert first & 0x80
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        content = self._take(size)
        if first & 0x0F != 9:
            return first & 0x0F, content
        self.send_frame(10, content)
        return self.frame()

    def hear(self) -> dict[str, Any]:
        """The next message."""
        opcode, content = self.frame()
        assert opcode == 1, (opcode, content)
        message: dict[str, Any] = json.loads(content)
        return message

    def send_frame(self, opcode: int, content: bytes) -> None:
        mask = os.urandom(4)
        if len(content) < 126:
            size = bytes([0x80 | len(content)])
        else:
            size = b"\xff" + struct.pack("!Q", len(content))
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(content))
        self._socket.sendall(bytes([0x80 | opcode]) + size + mask + masked)

    def send(self, message: object) -> None:
        """A message; a text goes out as it is."""
        self.send_frame(1, (message if isinstance(message, str) else json.dumps(message)).encode())

    def ask(self, message: object) -> dict[str, Any]:
        """Sends a message; the answer to it."""
        self.send(message)
        return self.hear()

    def closed(self) -> int:
        """Waits until the server closes the connection; the code it gives."""
        while True:
            opcode, content = self.frame()
            if opcode == 8:
                return int(struct.unpack("!H", content[:2])[0])

    def silent(self, seconds: float = 0.2) -> bool:
        """Does nothing come for a while?"""
        self._socket.settimeout(seconds)
        begin = time.monotonic()
        try:
            self._more()
        except TimeoutError:
            return time.monotonic() - begin >= seconds
        finally:
            self._socket.settimeout(PATIENCE)
        return False

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()
