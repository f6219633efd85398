"""The storefront through its Python client: a tour of everything that a program does with it, which asserts what it gets."""

import asyncio
import os
from datetime import datetime, timezone
from decimal import Decimal
from itertools import islice
from time import monotonic
from uuid import UUID, uuid4

from lockstep_storefront_client.api.orders import create_order, list_orders
from lockstep_storefront_client.api.items import create_item, list_items
from lockstep_storefront_client.api.products import create_product, delete_product, get_product, list_products, update_product
from lockstep_storefront_client.connection import connect
from lockstep_storefront_client.models import (
    DigitalDelivery,
    OrderInput,
    OrderItemInput,
    PhysicalDelivery,
    Product,
    ProductInput,
    ProductPatch,
    ProductSort,
    ProductStatus,
)
from lockstep_storefront_client.pages import arows, rows
from lockstep_storefront_client.problems import (
    ApiError,
    ForbiddenError,
    NotFoundError,
    OutOfStockError,
    PreconditionFailedError,
    TooManyRequestsError,
    UnauthenticatedError,
    ValidationFailedError,
)

URL = os.environ["API_URL"]
anyone = connect(URL)
customer = connect(URL, lambda: os.environ["CUSTOMER_TOKEN"])
staff = connect(URL, lambda: os.environ["STAFF_TOKEN"])

PARCEL = PhysicalDelivery(kind="PHYSICAL", weight_grams=410)


def new_product(price: int, name: str = "Blaue Tüte") -> Product:
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name=name, price=price, currency="EUR", delivery=PARCEL, stock=10)
    return create_product.sync(client=staff, body=body)


def test_lists_with_filters_and_in_order() -> None:
    for price in (100, 300, 200, 900):
        new_product(price, name="Filtered mug")
    page = list_products.sync(
        client=anyone,
        name_contains="Filtered",
        price_gte=200,
        price_lt=900,
        status=[ProductStatus.DRAFT, ProductStatus.ACTIVE],
        created_at_gt=datetime(2020, 1, 1, tzinfo=timezone.utc),
        units_sold_lte="0",
        sort=[ProductSort.PRICE_DESC, ProductSort.NAME],
        count=True,
    )
    assert [product.price for product in page.data] == [300, 200]
    assert page.page.total_count == 2


def test_goes_through_pages_as_they_are_needed() -> None:
    for price in (1, 2, 3, 4, 5, 6, 7):
        new_product(price, name="Paged mug")
    found = rows(list_products.sync, client=anyone, name_contains="Paged", sort=[ProductSort.PRICE], limit=2)
    assert [product.price for product in islice(found, 5)] == [1, 2, 3, 4, 5]
    assert [product.price for product in found] == [6, 7]


def test_creates_once_with_a_key() -> None:
    key = str(uuid4())
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Once", price=100, currency="EUR", delivery=PARCEL)
    first = create_product.sync(client=staff, body=body, idempotency_key=key)
    again = create_product.sync(client=staff, body=body, idempotency_key=key)
    assert first.id == again.id


def test_sets_clears_and_leaves_out() -> None:
    body = ProductInput(
        sku=f"PY-{uuid4().hex[:8].upper()}",
        name="Patched",
        price=100,
        currency="EUR",
        delivery=PARCEL,
        description="Text",
        tax_rate="0.19",
        stock=77,
        tags=["b", "a"],
    )
    product = create_product.sync(client=staff, body=body)
    changed = update_product.sync(product.id, client=staff, body=ProductPatch(price=150, description=None))
    assert (changed.price, changed.description) == (150, None)
    assert (changed.stock, changed.tags, changed.tax_rate, changed.name) == (77, ["b", "a"], "0.19", "Patched")


def test_changes_only_the_version_that_was_read() -> None:
    product = new_product(100)
    read = get_product.sync_detailed(product.id, client=staff)
    update_product.sync(product.id, client=staff, if_match=read.etag, body=ProductPatch(price=200))
    try:
        update_product.sync(product.id, client=staff, if_match=read.etag, body=ProductPatch(price=300))
    except PreconditionFailedError as error:
        assert (error.status, error.code) == (412, "PRECONDITION_FAILED")
    else:
        raise AssertionError("the second change was accepted")


def test_saves_an_answer_that_has_not_changed() -> None:
    product = new_product(100)
    read = get_product.sync_detailed(product.id, client=anyone)
    again = get_product.sync_detailed(product.id, client=anyone, if_none_match=read.etag)
    assert (again.status_code, again.parsed) == (304, None)


def test_raises_what_the_api_refuses() -> None:
    product = new_product(100)
    for call, expected in (
        (lambda: list_orders.sync(client=anyone), UnauthenticatedError),
        (lambda: update_product.sync(product.id, client=customer, body=ProductPatch(price=1)), ForbiddenError),
        (lambda: get_product.sync(UUID(int=7), client=anyone), NotFoundError),
    ):
        try:
            call()
        except expected as error:
            assert error.request_id
        else:
            raise AssertionError(f"no {expected.__name__}")
    try:
        update_product.sync(product.id, client=staff, body=ProductPatch(price=-1, tax_rate="nine"))
    except ValidationFailedError as faulty:
        assert {fault.pointer for fault in faulty.errors} == {"/price", "/taxRate"}
    else:
        raise AssertionError("nothing was wrong")


def test_raises_the_codes_of_the_contract() -> None:
    product = new_product(100)
    update_product.sync(product.id, client=staff, body=ProductPatch(status=ProductStatus.ACTIVE))
    order = create_order.sync(client=customer, body=OrderInput(note="A gift."))
    create_item.sync(order.id, client=customer, body=OrderItemInput(product_id=product.id, quantity=2))
    assert [item.quantity for item in rows(list_items.sync, order.id, client=customer)] == [2]
    other = new_product(100)
    update_product.sync(other.id, client=staff, body=ProductPatch(status=ProductStatus.ACTIVE))
    try:
        create_item.sync(order.id, client=customer, body=OrderItemInput(product_id=other.id, quantity=999))
    except OutOfStockError as error:
        assert error.detail
    else:
        raise AssertionError("it was sold")


def test_waits_as_long_as_the_server_asks() -> None:
    hasty = connect(os.environ["LIMITED_URL"], longest_wait=0)
    try:
        for _ in range(10):
            list_products.sync(client=hasty, limit=1)
    except TooManyRequestsError as error:
        assert error.retry_after is not None and error.retry_after > 0
    else:
        raise AssertionError("no limit")
    patient = connect(os.environ["BUSY_URL"])
    before = monotonic()
    list_products.sync(client=patient, limit=1)
    assert monotonic() - before >= 1


def test_sends_the_consistency_token_of_the_last_answer() -> None:
    counting = connect(os.environ["COUNTING_URL"])
    told = [list_products.sync_detailed(client=counting, limit=1).headers["Consistency-Token"] for _ in range(3)]
    assert told == ["s1", "s2", "s3"]


def test_tells_the_variants_of_a_union() -> None:
    download = DigitalDelivery(kind="DIGITAL", download_url="https://example.com/guide.pdf", size_bytes=5_000_000_000)
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Guide", price=1, currency="EUR", delivery=download)
    product = get_product.sync(create_product.sync(client=staff, body=body).id, client=anyone)
    match product.delivery:
        case DigitalDelivery(size_bytes=size):
            assert size == 5_000_000_000
        case PhysicalDelivery():
            raise AssertionError("a download is no parcel")


def test_keeps_decimals_and_large_numbers_exact() -> None:
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Exact", price=1, currency="EUR", delivery=PARCEL, tax_rate="0.075")
    product = create_product.sync(client=staff, body=body)
    assert isinstance(product.tax_rate, str) and Decimal(product.tax_rate) == Decimal("0.075")
    assert int(product.units_sold) == 0


def test_reads_what_a_newer_server_answers() -> None:
    product = new_product(100)
    newer = get_product.sync(product.id, client=connect(os.environ["NEWER_URL"]))
    assert newer.status == "PREORDER" and newer.status not in list(ProductStatus)
    assert newer.additional_properties["colour"] == "blue"
    try:
        get_product.sync(UUID(int=7), client=connect(os.environ["NEWER_URL"]))
    except ApiError as error:
        assert (error.code, error.status) == ("GONE_FISHING", 404)


def test_deletes() -> None:
    product = new_product(100)
    assert delete_product.sync_detailed(product.id, client=staff).status_code == 204


def test_does_the_same_asynchronously() -> None:
    async def found() -> list[int]:
        client = connect(URL)
        try:
            await get_product.asyncio(UUID(int=7), client=client)
        except NotFoundError:
            pass
        mugs = arows(list_products.asyncio, client=client, name_contains="Paged", sort=[ProductSort.PRICE], limit=3)
        return [product.price async for product in mugs]

    assert asyncio.run(found()) == [1, 2, 3, 4, 5, 6, 7]


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"passed {name}")
