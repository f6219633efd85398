"""The storefront over GraphQL through its Python client: what a program does with it, which asserts what it gets."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from datetime import datetime, timezone
from decimal import Decimal
from uuid import UUID, uuid4

from httpx import RemoteProtocolError
from lockstep_storefront_client.graphql import (
    BigIntRange,
    Client,
    DateTimeRange,
    DeliveryInput,
    DimensionsInput,
    GetProductsProducts,
    IntRange,
    PhysicalDeliveryInput,
    Product,
    ProductFilter,
    ProductInput,
    ProductPatch,
    ProductSort,
    ProductStatus,
    ReviewInput,
    TextFilter,
)
from lockstep_storefront_client.graphql import events
from lockstep_storefront_client.graphql.base_client import GraphqlErrors
from lockstep_storefront_client.pages import nodes
from lockstep_storefront_client.problems import (
    ApiError,
    ForbiddenError,
    NotFoundError,
    PreconditionFailedError,
    TooManyRequestsError,
    UnauthenticatedError,
    ValidationFailedError,
)

URL = os.environ["API_URL"]


def customer() -> Client:
    return Client(URL, lambda: os.environ["CUSTOMER_TOKEN"])


def staff() -> Client:
    return Client(URL, lambda: os.environ["STAFF_TOKEN"])


def product_input(name: str, price: int = 100) -> ProductInput:
    box = DimensionsInput(length_mm=1, width_mm=2, height_mm=3)
    delivery = DeliveryInput(physical=PhysicalDeliveryInput(weight_grams=410, dimensions=box))
    sku = f"PG-{uuid4().hex[:8].upper()}"
    return ProductInput(
        sku=sku, name=name, price=price, currency="EUR", delivery=delivery, tax_rate=Decimal("0.075"), tags=["b", "a"], stock=77
    )


async def create(client: Client, name: str, price: int = 100) -> Product:
    return (await client.create_product(product_input(name, price))).create_product


async def test_asks_for_a_nested_connection() -> None:
    async with staff() as shelves, customer() as reader:
        made = await create(shelves, "Reviewed mug")
        await shelves.update_product(made.id, ProductPatch(status=ProductStatus.ACTIVE))
        await reader.create_review(made.id, ReviewInput(rating=5, title="Schöne Tüte"))
        product = (await reader.get_reviewed_product(made.id, first=5)).product
        assert product is not None
        assert [(one.rating, one.title) for one in product.reviews.nodes] == [(5, "Schöne Tüte")]


async def test_maps_scalars_and_unions() -> None:
    async with staff() as client:
        made = await create(client, "Typed mug")
        assert made.tax_rate == Decimal("0.075")
        assert made.units_sold == 0 and isinstance(made.units_sold, int)
        assert made.created_at.tzinfo is not None and made.created_at > datetime(2020, 1, 1, tzinfo=timezone.utc)
        match made.delivery.typename__:
            case "PhysicalDelivery":
                assert made.delivery.weight_grams == 410 and made.delivery.dimensions is not None
            case "DigitalDelivery":
                raise AssertionError("a parcel is no download")


async def test_sets_clears_and_leaves_out() -> None:
    async with staff() as client:
        made = await create(client, "Patched")
        described = await client.update_product(made.id, ProductPatch(description="Text", price=150))
        assert (described.update_product.description, described.update_product.price) == ("Text", 150)
        changed = (await client.update_product(made.id, ProductPatch(description=None, tags=[]))).update_product
        assert (changed.description, changed.tags) == (None, [])
        assert (changed.price, changed.stock, changed.tax_rate) == (150, 77, Decimal("0.075"))


async def test_goes_through_pages_as_they_are_needed() -> None:
    async with staff() as client:
        for price in (3, 1, 2, 5, 4):
            await create(client, "Leafed mug", price)
        some = ProductFilter(
            name=TextFilter(contains="Leafed"),
            price=IntRange(gte=2),
            units_sold=BigIntRange(lte=0),
            created_at=DateTimeRange(gt=datetime(2020, 1, 1, tzinfo=timezone.utc)),
            status=[ProductStatus.DRAFT],
        )

        async def page(after: str | None) -> GetProductsProducts:
            return (await client.get_products(first=2, after=after, filter_=some, sort=[ProductSort.PRICE_ASC])).products

        assert [one.price async for one in nodes(page)] == [2, 3, 4, 5]


async def test_creates_once_with_a_key() -> None:
    async with staff() as client:
        body, headers = product_input("Once"), {"Idempotency-Key": str(uuid4())}
        first = await client.create_product(body, headers=headers)
        again = await client.create_product(body, headers=headers)
        assert first.create_product.id == again.create_product.id


async def test_raises_what_the_api_refuses() -> None:
    async with staff() as client, customer() as reader, Client(URL) as anyone:
        made = await create(client, "Refused")
        for call, expected in (
            (anyone.get_orders(), UnauthenticatedError),
            (reader.update_product(made.id, ProductPatch(price=1)), ForbiddenError),
            (anyone.get_product(str(UUID(int=7))), NotFoundError),
            (client.update_product(made.id, ProductPatch(price=1), if_version=9), PreconditionFailedError),
        ):
            try:
                await call
            except expected as error:
                assert error.request_id
            else:
                raise AssertionError(f"no {expected.__name__}")
        try:
            await client.update_product(made.id, ProductPatch(price=-1, stock=-1))
        except ValidationFailedError as faulty:
            assert {fault.argument for fault in faulty.errors} == {"input.price", "input.stock"}
        else:
            raise AssertionError("nothing was wrong")


async def test_tells_several_failures_and_what_was_answered() -> None:
    async with Client(URL) as anyone:
        document = """{ missing: product(id: "00000000-0000-7000-8000-000000000007") { id } products(first: 1) { nodes { id } } }"""
        response = await anyone.execute(document)
        try:
            anyone.get_data(response)
        except GraphqlErrors as failed:
            assert [error.code for error in failed.errors] == ["NOT_FOUND"]
            assert failed.data is not None and len(failed.data["products"]["nodes"]) == 1
        else:
            raise AssertionError("nothing was wrong")


async def test_waits_as_long_as_the_server_asks() -> None:
    async with Client(os.environ["LIMITED_URL"], longest_wait=0) as hasty, Client(os.environ["BUSY_URL"]) as patient:
        try:
            for _ in range(10):
                await hasty.get_products(first=1)
        except TooManyRequestsError as error:
            assert error.retry_after is not None and error.retry_after > 0
        else:
            raise AssertionError("no limit")
        before = asyncio.get_running_loop().time()
        await patient.get_products(first=1)
        assert asyncio.get_running_loop().time() - before >= 1


async def test_reads_what_a_newer_server_answers() -> None:
    async with staff() as client, Client(os.environ["NEWER_URL"]) as newer:
        made = await create(client, "Newer")
        product = (await newer.get_product(made.id)).product
        assert product is not None and product.status == "PREORDER" and product.status not in list(ProductStatus)


async def test_hears_of_events() -> None:
    async with staff() as client:
        made = await create(client, "Heard of")

        async def heard() -> AsyncGenerator[int, None]:
            async for event in client.on_product_updated(made.id):
                yield event.product_updated.price

        events = heard()
        first = asyncio.ensure_future(anext(events))
        price = 200
        while not first.done():  # until the server has the subscription
            price += 1
            await client.update_product(made.id, ProductPatch(price=price))
            await asyncio.wait([first], timeout=0.05)
        assert 200 < await first <= price
        await events.aclose()


class Scripted:
    """A server that gives each connection the next of its answers, and keeps the header fields that it was sent."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.heads: list[str] = []
        self.waits: list[float] = []

    async def __aenter__(self) -> "Scripted":
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        setattr(events, "sleep", self._wait)
        return self

    async def __aexit__(self, *_: object) -> None:
        setattr(events, "sleep", asyncio.sleep)
        self._server.close()

    async def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        await reader.readexactly(int(next(line for line in head.splitlines() if line.lower().startswith("content-length"))[16:]))
        self.heads.append(head)
        for part in self.answers.pop(0).split("\0"):
            writer.write(part.encode())
            await writer.drain()
        writer.close()

    @property
    def tokens(self) -> list[str]:
        return [line.split()[-1] for head in self.heads for line in head.splitlines() if line.lower().startswith("authorization")]


STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"
COMPLETE = "event: complete\ndata:\n\n"


def row(version: int, created_at: str = "2026-01-01T00:00:00Z") -> dict[str, object]:
    return {"id": "a", "version": version, "createdAt": created_at}


def told(field: str, *values: object) -> str:
    return "".join(f"event: next\ndata: {json.dumps({'data': {field: value}})}\n\n" for value in values)


def failed(code: str, status: int) -> str:
    return json.dumps({"data": None, "errors": [{"message": "No.", "extensions": {"code": code, "status": status}}]})


def refused(status: int, code: str, field: str = "") -> str:
    body = failed(code, status)
    return f"HTTP/1.1 {status} No\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{field}Connection: close\r\n\r\n{body}"


async def test_leaves_out_events_that_are_older_than_one_before_them() -> None:
    later = "2026-01-02T00:00:00Z"
    scripts = {
        "updated": told("updated", row(2), row(4), row(3), row(4), row(2, later), row(1, later)),
        "short": told("short", {"id": "a", "version": 2}, {"id": "a", "version": 1}),
        "deleted": told("deleted", "a", "a"),
    }
    async with Scripted(*(STREAM + script + COMPLETE for script in scripts.values())) as server, Client(server.url) as client:
        versions = [event["updated"]["version"] async for event in client.execute_ws("updated")]
        assert versions == [2, 4, 4, 2]
        assert len([event async for event in client.execute_ws("short")]) == 2
        assert [event["deleted"] async for event in client.execute_ws("deleted")] == ["a", "a"]


async def test_connects_again_and_says_that_events_may_be_missed() -> None:
    numbers = iter(range(1, 9))
    happened: list[object] = []

    async def missed() -> None:
        happened.append("missed")

    async with (
        Scripted(
            STREAM + ":\n\n" + told("updated", row(1))[:-40] + "\0" + told("updated", row(1))[-40:],
            refused(503, "SERVICE_UNAVAILABLE", "Retry-After: 7\r\n"),
            STREAM + told("updated", row(1), row(3)) + f"event: next\ndata: {failed('EVENTS_MISSED', 503)}\n\n",
            STREAM + f"event: next\ndata: {failed('UNAUTHENTICATED', 401)}\n\n" + COMPLETE,
            STREAM + told("updated", row(2), row(4)) + COMPLETE,
        ) as server,
        Client(server.url, lambda: f"t{next(numbers)}") as client,
    ):
        async for event in client.execute_ws("updated", on_connected=lambda: happened.append("connected"), on_missed=missed):
            happened.append(event["updated"]["version"])
    assert happened == [
        *("connected", 1),
        *("connected", "missed", 1, 3, "missed"),
        *("connected", "missed"),
        *("connected", "missed", 4),
    ]
    assert server.tokens == ["t1", "t2", "t3", "t4", "t5"]
    # They grow until the server has said something.
    bounds = [(0.5, 1), (7, 8), (0.5, 1), (1, 2)]
    assert [least <= wait <= most for (least, most), wait in zip(bounds, server.waits, strict=True)] == [True] * 4


async def test_ends_where_events_would_be_missed_in_silence() -> None:
    missing = f"event: next\ndata: {failed('EVENTS_MISSED', 503)}\n\n"
    async with Scripted(STREAM, STREAM + missing, refused(503, "SERVICE_UNAVAILABLE")) as server, Client(server.url) as client:
        for expected in (RemoteProtocolError, ApiError, ApiError):
            try:
                async for _ in client.execute_ws("updated"):
                    raise AssertionError("an event")
            except expected:
                continue
            raise AssertionError(f"no {expected.__name__}")
        assert server.waits == []


async def test_gives_up_after_a_while_with_growing_waits() -> None:
    async with Scripted(STREAM, *[STREAM] * 3) as server, Client(server.url) as client:
        try:
            async for _ in client.execute_ws("updated", on_missed=lambda: None, max_retries=3):
                raise AssertionError("an event")
        except RemoteProtocolError:
            assert [least <= wait <= 2 * least for least, wait in zip((0.5, 1, 2), server.waits, strict=True)] == [True] * 3
        else:
            raise AssertionError("it took it for complete")


async def test_does_not_ask_again_for_what_is_refused() -> None:
    early = STREAM + f"event: next\ndata: {failed('FORBIDDEN', 403)}\n\n" + COMPLETE
    async with (
        Scripted(refused(401, "UNAUTHENTICATED"), early, refused(200, "VALIDATION_FAILED")) as server,
        Client(server.url, lambda: "token") as client,
    ):
        for expected in (UnauthenticatedError, ForbiddenError, ValidationFailedError):
            try:
                async for _ in client.execute_ws("updated", on_missed=lambda: None):
                    raise AssertionError("an event")
            except expected:
                continue
            raise AssertionError(f"no {expected.__name__}")
        assert (len(server.heads), server.waits) == (3, [])


async def test_takes_texts_that_python_would_cut_into_lines() -> None:
    text = "a\u2028b\x85c"
    event = f'event: next\r\ndata: {{"data": {{"renamed": "{text}"}}}}\r\n\r\n'
    async with Scripted(STREAM + event + COMPLETE) as server, Client(server.url) as client:
        assert [event["renamed"] async for event in client.execute_ws("renamed")] == [text]


async def test_raises_what_a_subscription_is_refused() -> None:
    async with Client(URL) as anyone:
        try:
            async for _ in anyone.on_order_updated():
                raise AssertionError("an order of somebody")
        except UnauthenticatedError as error:
            assert error.status == 401
        else:
            raise AssertionError("it was accepted")


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            asyncio.run(test())
            print(f"passed {name}")
