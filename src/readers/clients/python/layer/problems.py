"""What the API refuses, as exceptions: one class for each code of the contract."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


@dataclass(frozen=True)
class FieldError:
    """One fault of a request; `pointer` (RFC 6901), `parameter`, `header` or GraphQL's `argument` is its place."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None
    header: str | None = None
    argument: str | None = None
    code: str | None = None


class ApiError(Exception):
    """A problem (RFC 9457). A code of a later version of the API has this class; `HTTP_502`, say, is a proxy's answer."""

    classes: dict[str, type[ApiError]] = {}

    def __init_subclass__(cls, code: str) -> None:
        ApiError.classes[code] = cls

    def __init__(self, response: httpx.Response, body: dict[str, Any]) -> None:
        self.response = response
        self.status = response.status_code
        self.code = str(body.get("code", f"HTTP_{self.status}"))
        self.title = str(body.get("title", response.reason_phrase))
        self.detail: str | None = body.get("detail")
        self.request_id: str | None = body.get("requestId")
        self.errors = [field_error(one) for one in body.get("errors", [])]
        self.retry_after = retry_after(response)
        faults = "; ".join(f"{one.pointer or one.parameter or one.header or one.argument}: {one.detail}" for one in self.errors)
        super().__init__(f"{self.status} {self.code}: {faults or self.detail or self.title}")


def field_error(body: dict[str, Any]) -> FieldError:
    names = ("pointer", "parameter", "header", "argument", "code")
    return FieldError(str(body.get("detail", "")), **{name: body[name] for name in names if name in body})


def retry_after(response: httpx.Response) -> float | None:
    """Seconds that `Retry-After` asks for (RFC 9110, 10.2.3)."""
    value = response.headers.get("Retry-After", "")
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def problem_of(response: httpx.Response) -> ApiError:
    """The exception of an answer that has been read, of its code's own class."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    for error in body.get("errors", []):
        if "extensions" in error:  # GraphQL's, whose first is the one to report
            body = {"detail": error.get("message"), **error["extensions"]}
            break
    return ApiError.classes.get(str(body.get("code")), ApiError)(response, body)
