"""Events over HTTP (GraphQL over SSE, distinct connections), and what becomes of a connection that is lost."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypedDict

import httpx

from ..connection import REFUSED, UNCERTAIN
from ..problems import ApiError

MAX_ROWS = 10_000  # that a subscription remembers: those of its latest events
SILENCE = 30.0  # seconds after which a connection is taken for lost: the server says something every 12
LONGEST_WAIT = 30.0

Data = dict[str, Any]
sleep = asyncio.sleep


class SubscribeOptions(TypedDict, total=False):
    """What a subscription may be told besides its arguments."""

    on_connected: Callable[[], Awaitable[None] | None]
    """Runs once the server listens, and again after each reconnection."""
    on_missed: Callable[[], Awaitable[None] | None]
    """Runs when events may have been missed: what they would have shown must be read again. Without it, the subscription
    ends with an exception then."""
    max_retries: int
    """How often in a row a connection is tried again, given `on_missed`. Default: 10."""


class Loss(Exception):
    """A connection that is lost."""

    def __init__(self, cause: httpx.TransportError | ApiError) -> None:
        self.cause = cause


class LastVersions:
    """The last version of each row that a subscription shows: where several servers write, an older one may come behind it."""

    def __init__(self) -> None:
        self._versions: dict[tuple[Any, Any], int] = {}

    def is_older(self, event: Any) -> bool:
        """Whether an event, the value of its field, is older than one before it; if not, it is remembered."""
        if not isinstance(event, dict) or not event.keys() >= {"id", "version", "createdAt"}:
            return False
        row = event["id"], event["createdAt"]  # What is created again is another row, whose versions begin anew.
        if event["version"] < self._versions.get(row, 0):
            return True
        self._versions.pop(row, None)
        self._versions[row] = event["version"]
        if len(self._versions) > MAX_ROWS:
            del self._versions[next(iter(self._versions))]
        return False


async def subscribe(
    request: Callable[[], httpx.Request],
    client: httpx.AsyncClient,
    data_of: Callable[[Data, httpx.Response], Data],
    options: SubscribeOptions,
) -> AsyncGenerator[Data, None]:
    """Events, but for older ones, until the server completes. It connects again when the connection is lost.

    Raises the `ApiError` of what the server refuses. Without `on_missed`, raises what ended the connection.
    """
    connected, missed = options.get("on_connected"), options.get("on_missed")
    versions = LastVersions()
    connections = failures = 0
    while True:
        try:
            async with aclosing(results_of(request(), client, data_of)) as results:
                await anext(results)  # The server listens.
                connections += 1
                await call(connected)
                if connections > 1:
                    await call(missed)
                async for result in results:
                    failures = 0
                    if isinstance(result, ApiError):
                        if missed is None:
                            raise result
                        await call(missed)
                    elif result is not None and not versions.is_older(next(iter(result.values()), None)):
                        yield result
                return
        except Loss as loss:
            if missed is None or failures >= options.get("max_retries", 10):
                raise loss.cause from None
            await sleep(wait_of(loss.cause, failures))
            failures += 1


async def call(listener: Callable[[], Awaitable[None] | None] | None) -> None:
    called = None if listener is None else listener()
    if called is not None:
        await called


def wait_of(cause: httpx.TransportError | ApiError, failures: int) -> float:
    """Seconds until the next attempt: as the server asks, or half of a growing wait at random."""
    asked = cause.retry_after if isinstance(cause, ApiError) else None
    return min(2.0 ** min(failures, 5), LONGEST_WAIT) * random.uniform(0.5, 1) if asked is None else asked + random.uniform(0, 0.5)


async def results_of(
    request: httpx.Request, client: httpx.AsyncClient, data_of: Callable[[Data, httpx.Response], Data]
) -> AsyncGenerator[Data | ApiError | None, None]:
    """The results of one connection, until the server completes. The first is None, and so is each sign of life.

    An error stands for events that were missed. Raises `Loss`, or the `ApiError` of what the server refuses.
    """
    is_open = False
    try:
        response = await client.send(request, stream=True)
        async with aclosing(response):
            if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                await response.aread()
                data_of(response.json(), response)
                raise ValueError("The answer is not a stream of events.")
            is_open = True
            yield None
            async for answer in answers_of(response):
                try:
                    yield None if answer is None else data_of(answer, response)
                except ApiError as error:
                    if error.code != "EVENTS_MISSED":
                        raise
                    yield error
    except httpx.TransportError as error:
        raise Loss(error) from error
    except ValueError as error:
        raise Loss(httpx.RemoteProtocolError(str(error))) from error
    except ApiError as error:
        # What has no token, or a wrong one, is refused before: this one has expired.
        is_expired = error.code == "UNAUTHENTICATED" and is_open and "Authorization" in request.headers
        if is_expired or error.status in REFUSED | UNCERTAIN:
            raise Loss(error) from error
        raise


async def answers_of(response: httpx.Response) -> AsyncIterator[Data | None]:
    """What the events of a stream carry, and None for each comment."""
    name, data = "", ""
    async for line in lines_of(response):
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            data += value.removeprefix(" ")
        elif line != "":
            yield None
        elif name == "complete":
            return
        else:
            if name == "next":
                yield json.loads(data)
            name, data = "", ""
    raise httpx.RemoteProtocolError("The stream has ended.")


async def lines_of(response: httpx.Response) -> AsyncIterator[str]:
    """Lines end as the protocol says; other characters that Python takes for the end of one may stand in texts."""
    rest = b""
    async for chunk in response.aiter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode().removesuffix("\r")
