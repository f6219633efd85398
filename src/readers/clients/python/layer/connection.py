"""Connections to the API: tokens, keys for what is created, waits, and failures as exceptions."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Callable
from typing import Any

import httpx

from .bound import Api, AsyncApi
from .problems import problem_of, retry_after

# Methods whose effect is the same once or twice (RFC 9110, 9.2.2).
IDEMPOTENT = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}
# JSON is asked for before what an operation answers beside it.
ACCEPTED = "application/json, */*;q=0.8"
# The server took no notice of the request.
REFUSED = {408, 429}
# Nobody knows whether it did.
UNCERTAIN = {502, 503, 504}


def connect(
    base_url: str,
    token: Callable[[], str] | None = None,
    *,
    timeout: float = 30.0,
    retries: int = 3,
    longest_wait: float = 20.0,
) -> Api:
    """A client of the API; `with` closes it.

    `token` is asked before each attempt; without it, nobody is signed in. A request that is refused for a while, or gets no
    answer and can be repeated, is sent again up to `retries` times, as `Retry-After` says; a longer wait than `longest_wait`
    seconds is left to the caller. `timeout` is in seconds, for each attempt.
    """
    return Api(**settings_of(base_url, timeout, Transport(token, retries, longest_wait)))


def connect_async(
    base_url: str,
    token: Callable[[], str] | None = None,
    *,
    timeout: float = 30.0,
    retries: int = 3,
    longest_wait: float = 20.0,
) -> AsyncApi:
    """The same for `async`; `async with` closes it."""
    return AsyncApi(**settings_of(base_url, timeout, Transport(token, retries, longest_wait)))


def settings_of(base_url: str, timeout: float, transport: Transport) -> dict[str, Any]:
    # The transport sends the token.
    return {
        "base_url": base_url,
        "token": "",
        "prefix": "",
        "timeout": httpx.Timeout(timeout),
        "headers": {"Accept": ACCEPTED},
        "httpx_args": {"transport": transport},
    }


class Transport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends requests, again where that is safe. Raises a `problems.ApiError` for each answer from 400 on."""

    def __init__(
        self,
        token: Callable[[], str] | None,
        retries: int,
        longest_wait: float,
        limits: httpx.Limits = httpx.Limits(max_connections=100, max_keepalive_connections=20),
    ) -> None:
        self._limits = limits
        self._token = token
        self._retries = retries
        self._longest_wait = longest_wait
        self._sync: httpx.HTTPTransport | None = None
        self._async: httpx.AsyncHTTPTransport | None = None
        self._consistency: str | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self._sync is None:
            self._sync = httpx.HTTPTransport()
        for attempt in range(self._retries + 1):
            self._prepare(request)
            try:
                response = self._sync.handle_request(request)
            except httpx.TransportError:
                wait = self._wait(request, None, attempt)
                if wait is None:
                    raise
            else:
                self._keep(response)
                if response.status_code < 400:
                    return response
                response.read()
                wait = self._wait(request, response, attempt)
                if wait is None:
                    raise problem_of(response)
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._async is None:
            self._async = httpx.AsyncHTTPTransport(limits=self._limits)
        for attempt in range(self._retries + 1):
            self._prepare(request)
            try:
                response = await self._async.handle_async_request(request)
            except httpx.TransportError:
                wait = self._wait(request, None, attempt)
                if wait is None:
                    raise
            else:
                self._keep(response)
                if response.status_code < 400:
                    return response
                await response.aread()
                wait = self._wait(request, response, attempt)
                if wait is None:
                    raise problem_of(response)
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        if self._sync is not None:
            self._sync.close()

    async def aclose(self) -> None:
        if self._async is not None:
            await self._async.aclose()

    def _prepare(self, request: httpx.Request) -> None:
        # Between the items of a list.
        request.url = request.url.copy_with(raw_path=request.url.raw_path.replace(b"%1F", b","))
        request.headers.pop("Authorization", None)
        if self._token is not None:
            request.headers["Authorization"] = f"Bearer {self._token()}"
        if self._consistency is not None:
            request.headers.setdefault("Consistency-Token", self._consistency)
        if request.method == "POST" and "repeatable" not in request.extensions:
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))

    def _keep(self, response: httpx.Response) -> None:
        """What this client has written, its next read sees, whichever instance answers."""
        self._consistency = response.headers.get("Consistency-Token", self._consistency)

    def _wait(self, request: httpx.Request, response: httpx.Response | None, attempt: int) -> float | None:
        """Seconds until the next attempt; none if there is no other."""
        status = None if response is None else response.status_code
        if attempt >= self._retries or not (status in REFUSED or (is_repeatable(request) and status in {None, *UNCERTAIN})):
            return None
        asked = None if response is None else retry_after(response)
        # Half of it at random: callers that failed together come back one by one.
        wait = 0.25 * 2**attempt * random.uniform(0.5, 1) if asked is None else asked
        return wait if wait <= self._longest_wait else None


def is_repeatable(request: httpx.Request) -> bool:
    """With `If-Match`, a second attempt would fail for the first one's success; GraphQL's requests say it themselves."""
    if "repeatable" in request.extensions:
        return bool(request.extensions["repeatable"])
    if "Idempotency-Key" in request.headers:
        return True
    return request.method in IDEMPOTENT and "If-Match" not in request.headers
