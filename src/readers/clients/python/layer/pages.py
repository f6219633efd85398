"""Lists, entry by entry, of which pages are asked for as they are needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

from .types import UNSET, Unset

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


AnyPage = TypeVar("AnyPage", bound=Page[Any])


class List(Generic[Row, AnyPage]):
    """A list: its entries one by one, each page asked for when it is needed."""

    def __init__(self, page_at: Callable[[str | Unset], AnyPage]) -> None:
        self._page_at = page_at

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from page.data

    def pages(self) -> Iterator[AnyPage]:
        """Page by page."""
        page = self.page()
        yield page
        while page.page.next_cursor is not None:
            page = self.page(page.page.next_cursor)
            yield page

    def page(self, cursor: str | None = None) -> AnyPage:
        """One page: the first, or the one at a cursor that another page has given."""
        return self._page_at(UNSET if cursor is None else cursor)


class AsyncList(Generic[Row, AnyPage]):
    """The same for `async`: `async for row in …`."""

    def __init__(self, page_at: Callable[[str | Unset], Awaitable[AnyPage]]) -> None:
        self._page_at = page_at

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for page in self.pages():
            for row in page.data:
                yield row

    async def pages(self) -> AsyncIterator[AnyPage]:
        """Page by page."""
        page = await self.page()
        yield page
        while page.page.next_cursor is not None:
            page = await self.page(page.page.next_cursor)
            yield page

    async def page(self, cursor: str | None = None) -> AnyPage:
        """One page: the first, or the one at a cursor that another page has given."""
        return await self._page_at(UNSET if cursor is None else cursor)


def rows(
    operation: Callable[Arguments, Page[Row]], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Iterator[Row]:
    """All entries of an operation that lists: `rows(list_….sync, client=client, …)`, with its arguments."""
    ask = cast(Callable[..., Page[Row]], operation)
    return iter(List[Row, Page[Row]](lambda cursor: ask(*args, **at(cursor, kwargs))))


def arows(
    operation: Callable[Arguments, Awaitable[Page[Row]]], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> AsyncIterator[Row]:
    """The same for `asyncio`: `async for row in arows(list_….asyncio, client=client, …)`."""
    ask = cast(Callable[..., Awaitable[Page[Row]]], operation)
    return aiter(AsyncList[Row, Page[Row]](lambda cursor: ask(*args, **at(cursor, kwargs))))


def at(cursor: str | Unset, arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "cursor": cursor} if cursor else arguments


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
