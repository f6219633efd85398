"""What the classes of resources have in common."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

from .client import AuthenticatedClient
from .problems import ApiError
from .types import UNSET, Unset

Row = TypeVar("Row")
Patch = TypeVar("Patch")

# How often a change is tried that others get in the way of.
MAX_CHANGES = 5


class Resource:
    """Calls of a resource, by a client."""

    def __init__(self, client: AuthenticatedClient) -> None:
        self._client = client


@overload
def if_match(version: int | str) -> str: ...
@overload
def if_match(version: int | str | Unset) -> str | Unset: ...
def if_match(version: int | str | Unset) -> str | Unset:
    """The entity tag of a version (RFC 9110, 13.1.1)."""
    return UNSET if isinstance(version, Unset) else f'"{version}"'


def change(read: Callable[[], Row], patch_of: Callable[[Row], Patch | None], write: Callable[[Row, Patch], Row]) -> Row:
    """Reads and writes, and does both again where another change got in between. A patch of None leaves the row as it is."""
    for attempt in range(1, MAX_CHANGES + 1):
        row = read()
        patch = patch_of(row)
        if patch is None:
            return row
        try:
            return write(row, patch)
        except ApiError as error:
            if not is_overtaken(error, attempt):
                raise
    raise AssertionError("the last attempt returns or raises")


async def change_async(
    read: Callable[[], Awaitable[Row]],
    patch_of: Callable[[Row], Patch | None | Awaitable[Patch | None]],
    write: Callable[[Row, Patch], Awaitable[Row]],
) -> Row:
    """The same for `async`; `patch_of` may be, too."""
    for attempt in range(1, MAX_CHANGES + 1):
        row = await read()
        made = patch_of(row)
        patch: Any = await made if isinstance(made, Awaitable) else made
        if patch is None:
            return row
        try:
            return await write(row, patch)
        except ApiError as error:
            if not is_overtaken(error, attempt):
                raise
    raise AssertionError("the last attempt returns or raises")


def is_overtaken(error: ApiError, attempt: int) -> bool:
    return error.code == "PRECONDITION_FAILED" and attempt < MAX_CHANGES
