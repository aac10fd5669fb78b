"""A client of `cuset serve`. Only the standard library; safe to use from several threads."""
from __future__ import annotations

import contextlib
import http.client
import json
import socket
import urllib.parse
from collections.abc import Iterator, Sequence
from typing import Any


class ServerError(Exception):
    """The server refused a request. `status` is that of HTTP."""

    def __init__(self, status: int, message: str, retry_after: float = 0) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        self.message = message
        self.retry_after = retry_after


def _message_of(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return body[:200].decode(errors="replace")


def encoded(body: Any) -> bytes:
    """The JSON of a request. Halves of characters, which have no UTF-8, become question marks."""
    return json.dumps(body, ensure_ascii=False).encode(errors="replace")


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float | None) -> None:
        super().__init__("localhost", timeout=timeout)
        self._socket_path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._socket_path)


class Client:
    """`url` is where the server listens: http://127.0.0.1:8000, or unix:/tmp/serve.sock for a Unix socket; `key` is its API key, where it
    has one."""

    def __init__(self, url: str, key: str | None = None, timeout: float | None = None) -> None:
        self.url = url.rstrip("/")
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme not in ("http", "https", "unix") or not (parts.path if parts.scheme == "unix" else parts.hostname):
            raise ValueError(f"{url!r} is not the URL of a server: write http://HOST:PORT, or unix:PATH")
        self._scheme, self._host, self._port = parts.scheme, parts.hostname or "", parts.port
        self._socket, self._path = (self.url[len("unix:"):], "") if parts.scheme == "unix" else ("", parts.path)
        self._key = key
        self._timeout = timeout

    def _connection(self) -> http.client.HTTPConnection:
        if self._scheme == "unix":
            return _UnixConnection(self._socket, self._timeout)
        kind = http.client.HTTPSConnection if self._scheme == "https" else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=self._timeout)

    def _send(self, method: str, path: str, body: Any) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = self._connection()
        headers = {"Connection": "close"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        data = None
        if body is not None:
            data = encoded(body)
            headers["Content-Type"] = "application/json"
        try:
            # A server that refuses a body does not wait for its end, and says why.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, self._path + path, data, headers)
            response = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        if response.status >= 400:
            with contextlib.closing(connection):
                after = response.getheader("Retry-After") or "0"
                raise ServerError(response.status, _message_of(response.read()), float(after) if after.isdigit() else 0)
        return connection, response

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of a reply. Raises ServerError where the server refuses, OSError where it is not reached."""
        connection, response = self._send(method, path, body)
        try:
            return json.loads(response.read())
        finally:
            connection.close()

    def is_healthy(self) -> bool:
        try:
            self.request("GET", "/health")
        except (ServerError, OSError, http.client.HTTPException):
            return False
        return True

    def models(self) -> list[str]:
        """The model and its adapters, by the names that requests give."""
        return [model["id"] for model in self.request("GET", "/v1/models")["data"]]

    def chat(self, messages: Sequence[dict[str, str]] | str, **options: Any) -> str:
        """The answer to messages, or to one of the user. Options are the fields of docs/serve.md: model, temperature, ..."""
        reply = self.request("POST", "/v1/chat/completions", {"messages": _messages(messages), **options})
        return str(reply["choices"][0]["message"]["content"])

    def stream(self, messages: Sequence[dict[str, str]] | str, **options: Any) -> Iterator[str]:
        """The same in pieces, while it is being written. Raises ConnectionError where the server goes away before the end."""
        body = {"messages": _messages(messages), "stream": True, **options}
        connection, response = self._send("POST", "/v1/chat/completions", body)
        try:
            for line in response:
                if line.startswith(b"data: [DONE]"):
                    return
                if not line.startswith(b"data: "):
                    continue
                event = json.loads(line[6:])
                if "error" in event:
                    raise ServerError(500, event["error"]["message"])
                for choice in event["choices"]:
                    if piece := choice["delta"].get("content"):
                        yield piece
            raise ConnectionError(f"{self.url} went away before the answer was complete")
        finally:
            connection.close()


def _messages(messages: Sequence[dict[str, str]] | str) -> list[dict[str, str]]:
    return [{"role": "user", "content": messages}] if isinstance(messages, str) else list(messages)
