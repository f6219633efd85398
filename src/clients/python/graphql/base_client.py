"""What the methods of the client send: over HTTP, and for events over a WebSocket."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any, Self, cast
from urllib.parse import urljoin

import httpx
from pydantic import BaseModel
from pydantic_core import to_jsonable_python
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from ..connection import Transport
from ..problems import ApiError, problem_of
from .base_model import UNSET
from .creating import CREATING

MAX_ROWS = 10_000  # that a subscription remembers: those of its latest events
MUTATION = re.compile(r"\s*mutation\b[^{]*\{\s*(\w+)")


class GraphqlErrors(Exception):
    """Several fields of a document failed, or one did beside others that are answered."""

    def __init__(self, errors: list[ApiError], data: dict[str, Any] | None) -> None:
        self.errors = errors
        self.data = data
        super().__init__("\n".join(str(error) for error in errors))


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


class BaseClient:
    """A connection to the API; `async with` closes it.

    Its arguments are those of `connect`: `token` is asked before each attempt, and at the beginning of each subscription.
    `graphql_url` is `/graphql` of the server at `base_url`, unless it is said.
    """

    def __init__(
        self,
        base_url: str,
        token: Callable[[], str] | None = None,
        *,
        graphql_url: str | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        longest_wait: float = 20.0,
    ) -> None:
        self.url = graphql_url or urljoin(base_url, "/graphql")
        self._token = token
        self._client = httpx.AsyncClient(transport=Transport(token, retries, longest_wait), timeout=timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def execute(
        self,
        query: str,
        operation_name: str | None = None,
        variables: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        sent = httpx.Headers(headers)
        sent.setdefault("Accept", "application/graphql-response+json")
        mutation = MUTATION.match(query)
        if mutation is not None and mutation[1] in CREATING:
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        return await self._client.post(
            self.url,
            json=request_of(query, operation_name, variables),
            headers=sent,
            extensions={"repeatable": mutation is None or "Idempotency-Key" in sent},
        )

    def get_data(self, response: httpx.Response) -> dict[str, Any]:
        return data_of(response.json(), response)

    async def execute_ws(
        self, query: str, operation_name: str | None = None, variables: dict[str, Any] | None = None, **kwargs: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """Events, but for older ones, until the server completes; raises the `ApiError` of what it refuses, and what ends the connection."""
        versions = LastVersions()
        url = re.sub("^http", "ws", self.url)
        async with connect(url, subprotocols=[Subprotocol("graphql-transport-ws")], **kwargs) as socket:
            authorization = {} if self._token is None else {"authorization": f"Bearer {self._token()}"}
            await socket.send(json.dumps({"type": "connection_init", "payload": authorization}))
            async for text in socket:
                message = json.loads(text)
                match message["type"]:
                    case "connection_ack":
                        payload = request_of(query, operation_name, variables)
                        await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
                    case "ping":
                        await socket.send(json.dumps({"type": "pong"}))
                    case "next":
                        data = data_of(message["payload"])
                        if not versions.is_older(next(iter(data.values()))):
                            yield data
                    case "error":
                        raise error_of(message["payload"][0])
                    case "complete":
                        return


def request_of(query: str, operation_name: str | None, variables: dict[str, Any] | None) -> Any:
    """The body of a request; what is not set is not sent."""
    given = {name: plain(value) for name, value in (variables or {}).items() if value is not UNSET}
    return to_jsonable_python({"query": query, "operationName": operation_name, "variables": given})


def plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return [plain(one) for one in value] if isinstance(value, list) else value


def data_of(answer: dict[str, Any], response: httpx.Response | None = None) -> dict[str, Any]:
    """The data of an answer without errors. Raises what they say."""
    data = answer.get("data")
    errors = [error_of(error, response) for error in answer.get("errors", [])]
    if not errors:
        return cast(dict[str, Any], data)
    if len(errors) == 1 and all(value is None for value in (data or {}).values()):
        raise errors[0]
    raise GraphqlErrors(errors, data)


def error_of(error: dict[str, Any], response: httpx.Response | None = None) -> ApiError:
    """The exception of one error, of its code's own class."""
    details = error.get("extensions", {})
    body = {"detail": error["message"], **details}
    kept = {} if response is None else {name: response.headers[name] for name in ("Retry-After",) if name in response.headers}
    return problem_of(httpx.Response(details.get("status", 500), headers=kept, json=body))
