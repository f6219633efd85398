"""Lists, entry by entry, of which pages are asked for as they are needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, ParamSpec, Protocol, TypeVar, cast

Row = TypeVar("Row")
Arguments = ParamSpec("Arguments")


class PageInfo(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


class Page(Protocol[Row]):
    @property
    def data(self) -> list[Row]: ...

    @property
    def page(self) -> PageInfo: ...


def rows(
    operation: Callable[Arguments, Page[Row]], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Iterator[Row]:
    """All entries of a list: `rows(list_….sync, client=client, …)`, with the arguments of the operation."""
    ask = cast(Callable[..., Page[Row]], operation)
    arguments: dict[str, Any] = dict(kwargs)
    while True:
        page = ask(*args, **arguments)
        yield from page.data
        if page.page.next_cursor is None:
            return
        arguments["cursor"] = page.page.next_cursor


async def arows(
    operation: Callable[Arguments, Awaitable[Page[Row]]], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> AsyncIterator[Row]:
    """The same for `asyncio`: `async for row in arows(list_….asyncio, client=client, …)`."""
    ask = cast(Callable[..., Awaitable[Page[Row]]], operation)
    arguments: dict[str, Any] = dict(kwargs)
    while True:
        page = await ask(*args, **arguments)
        for row in page.data:
            yield row
        if page.page.next_cursor is None:
            return
        arguments["cursor"] = page.page.next_cursor


class ConnectionInfo(Protocol):
    @property
    def has_next_page(self) -> bool: ...

    @property
    def end_cursor(self) -> str | None: ...


class Connection(Protocol[Row]):
    @property
    def nodes(self) -> list[Row]: ...

    @property
    def page_info(self) -> ConnectionInfo: ...


async def nodes(page_at: Callable[[str | None], Awaitable[Connection[Row]]]) -> AsyncIterator[Row]:
    """All entries of a connection of GraphQL: `page_at` asks for the page behind a cursor, at first none."""
    after: str | None = None
    while True:
        page = await page_at(after)
        for node in page.nodes:
            yield node
        if not page.page_info.has_next_page:
            return
        after = page.page_info.end_cursor
