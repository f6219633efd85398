"""What the methods of the client send."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any, Self, Unpack, cast
from urllib.parse import urljoin

import httpx
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from ..connection import Transport
from ..problems import ApiError, problem_of
from .base_model import UNSET
from .creating import CREATING
from .events import SILENCE, SubscribeOptions, subscribe

MUTATION = re.compile(r"\s*mutation\b[^{]*\{\s*(\w+)")


class GraphqlErrors(Exception):
    """Several fields of a document failed, or one did beside others that are answered."""

    def __init__(self, errors: list[ApiError], data: dict[str, Any] | None) -> None:
        self.errors = errors
        self.data = data
        super().__init__("\n".join(str(error) for error in errors))


class BaseClient:
    """A connection to the API; `async with` closes it.

    Its arguments are those of `connect`: `token` is asked before each attempt, and at each connection of a subscription.
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
        self._client = httpx.AsyncClient(transport=Transport(token, retries, longest_wait), timeout=timeout)
        # Of their own: they stay open, and are tried again by another rule.
        self._events = httpx.AsyncClient(
            transport=Transport(token, 0, 0, httpx.Limits(max_connections=None)),
            timeout=httpx.Timeout(timeout, read=SILENCE),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()
        await self._events.aclose()

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

    def execute_ws(
        self,
        query: str,
        operation_name: str | None = None,
        variables: dict[str, Any] | None = None,
        **options: Unpack[SubscribeOptions],
    ) -> AsyncIterator[dict[str, Any]]:
        """The events of a subscription, over HTTP."""
        body, headers = request_of(query, operation_name, variables), {"Accept": "text/event-stream"}

        def request() -> httpx.Request:
            return self._events.build_request("POST", self.url, json=body, headers=headers, extensions={"repeatable": True})

        return subscribe(request, self._events, data_of, options)


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
