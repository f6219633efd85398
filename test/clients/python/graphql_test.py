"""The storefront over GraphQL through its Python client: what a program does with it, which asserts what it gets."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from datetime import datetime, timezone
from decimal import Decimal
from uuid import UUID, uuid4

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
from lockstep_storefront_client.graphql.base_client import GraphqlErrors
from lockstep_storefront_client.pages import nodes
from lockstep_storefront_client.problems import (
    ForbiddenError,
    NotFoundError,
    PreconditionFailedError,
    TooManyRequestsError,
    UnauthenticatedError,
    ValidationFailedError,
)
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

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


async def test_leaves_out_events_that_are_older_than_one_before_them() -> None:
    def row(version: int, created_at: str = "2026-01-01T00:00:00Z") -> dict[str, object]:
        return {"id": "a", "version": version, "createdAt": created_at}

    told: dict[str, list[object]] = {
        "updated": [row(2), row(4), row(3), row(4), row(2, "2026-01-02T00:00:00Z"), row(1, "2026-01-02T00:00:00Z")],
        "short": [{"id": "a", "version": 2}, {"id": "a", "version": 1}],
        "deleted": ["a", "a"],
    }

    async def answer(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps({"type": "connection_ack"}))
        field = json.loads(await socket.recv())["payload"]["query"]
        for event in told[field]:
            await socket.send(json.dumps({"id": "1", "type": "next", "payload": {"data": {field: event}}}))
        await socket.send(json.dumps({"id": "1", "type": "complete"}))

    async with serve(answer, "127.0.0.1", 0, subprotocols=[Subprotocol("graphql-transport-ws")]) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with Client(f"http://127.0.0.1:{port}/v1") as client:
            versions = [event["updated"]["version"] async for event in client.execute_ws("updated")]
            assert versions == [2, 4, 4, 2]
            assert len([event async for event in client.execute_ws("short")]) == 2
            assert [event["deleted"] async for event in client.execute_ws("deleted")] == ["a", "a"]


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
