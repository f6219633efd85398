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
