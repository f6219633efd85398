"""The storefront through its Python client: a tour of everything that a program does with it, which asserts what it gets."""

import asyncio
import os
from datetime import datetime, timezone
from decimal import Decimal
from itertools import islice
from time import monotonic
from uuid import UUID, uuid4

from lockstep_storefront_client.api.products import get_product, list_products
from lockstep_storefront_client.connection import connect, connect_async
from lockstep_storefront_client.models import (
    DigitalDelivery,
    OrderInput,
    OrderItemInput,
    OrderItemPatch,
    PhysicalDelivery,
    Problem,
    Product,
    ProductBatchCreate,
    ProductBatchDelete,
    ProductBatchInput,
    ProductBatchInputMode,
    ProductBatchItem,
    ProductBatchKey,
    ProductBatchUpsert,
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
from lockstep_storefront_client.types import UNSET

URL = os.environ["API_URL"]
anyone = connect(URL)
customer = connect(URL, lambda: os.environ["CUSTOMER_TOKEN"])
staff = connect(URL, lambda: os.environ["STAFF_TOKEN"])

PARCEL = PhysicalDelivery(kind="PHYSICAL", weight_grams=410)


def new_product(price: int, name: str = "Blaue Tüte") -> Product:
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name=name, price=price, currency="EUR", delivery=PARCEL, stock=10)
    return staff.products.create(body)


def test_lists_with_filters_and_in_order() -> None:
    for price in (100, 300, 200, 900):
        new_product(price, name="Filtered mug")
    found = anyone.products.list(
        name_contains="Filtered",
        price_gte=200,
        price_lt=900,
        status=[ProductStatus.DRAFT, ProductStatus.ACTIVE],
        created_at_gt=datetime(2020, 1, 1, tzinfo=timezone.utc),
        units_sold_lte="0",
        sort=[ProductSort.PRICE_DESC, ProductSort.NAME],
        count=True,
    )
    assert [product.price for product in found] == [300, 200]
    assert found.page().page.total_count == 2


def test_goes_through_pages_as_they_are_needed() -> None:
    for price in (1, 2, 3, 4, 5, 6, 7):
        new_product(price, name="Paged mug")
    paged = anyone.products.list(name_contains="Paged", sort=[ProductSort.PRICE], limit=2)
    found = iter(paged)
    assert [product.price for product in islice(found, 5)] == [1, 2, 3, 4, 5]
    assert [product.price for product in found] == [6, 7]
    assert [len(page.data) for page in paged.pages()] == [2, 2, 2, 1]
    second = paged.page(paged.page().page.next_cursor)
    assert [product.price for product in second.data] == [3, 4]
    by_module = rows(list_products.sync, client=anyone, name_contains="Paged", sort=[ProductSort.PRICE], limit=3)
    assert [product.price for product in by_module] == [1, 2, 3, 4, 5, 6, 7]


def test_creates_once_with_a_key() -> None:
    key = str(uuid4())
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Once", price=100, currency="EUR", delivery=PARCEL)
    first = staff.products.create(body, idempotency_key=key)
    again = staff.products.create(body, idempotency_key=key)
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
    product = staff.products.create(body)
    changed = staff.products.update(product.id, ProductPatch(price=150, description=None))
    assert (changed.price, changed.description) == (150, None)
    assert (changed.stock, changed.tags, changed.tax_rate, changed.name) == (77, ["b", "a"], "0.19", "Patched")


def test_changes_only_the_version_that_was_read() -> None:
    read = new_product(100)
    changed = staff.products.update(read, ProductPatch(price=200))
    assert (changed.version, changed.price) == (2, 200)
    for stale in (
        lambda: staff.products.update(read, ProductPatch(price=300)),
        lambda: staff.products.update(read.id, ProductPatch(price=300), if_version=1),
        lambda: staff.products.delete(read),
    ):
        try:
            stale()
        except PreconditionFailedError as error:
            assert (error.status, error.code) == (412, "PRECONDITION_FAILED")
        else:
            raise AssertionError("the second change was accepted")
    assert staff.products.update(read.id, ProductPatch(price=300)).price == 300


def test_changes_again_what_others_changed_meanwhile() -> None:
    product = new_product(100)
    seen: list[int] = []

    def dearer(current: Product) -> ProductPatch:
        seen.append(current.price)
        if len(seen) == 1:
            staff.products.update(product.id, ProductPatch(price=500))
        return ProductPatch(price=current.price + 1)

    assert staff.products.change(product.id, dearer).price == 501
    assert seen == [100, 500]
    assert staff.products.change(product, lambda current: None).version == 3

    def hopeless(current: Product) -> ProductPatch:
        seen.append(current.price)
        staff.products.update(product.id, ProductPatch(stock=len(seen)))
        return ProductPatch(price=1)

    try:
        staff.products.change(product.id, hopeless)
    except PreconditionFailedError:
        assert len(seen) == 2 + 5
    else:
        raise AssertionError("others were always faster")


def test_calls_what_is_below_a_resource_and_beside_them() -> None:
    product = new_product(100)
    staff.products.update(product, ProductPatch(status=ProductStatus.ACTIVE))
    order = customer.orders.create(OrderInput())
    item = customer.orders.items.create(order.id, OrderItemInput(product_id=product.id, quantity=2))
    more = customer.orders.items.update(order.id, item, OrderItemPatch(quantity=3))
    assert (more.quantity, more.version) == (3, 2)
    changed = customer.orders.items.change(order.id, more, lambda current: OrderItemPatch(quantity=current.quantity + 1))
    assert [entry.quantity for entry in customer.orders.items.list(order_id=order.id)] == [4]
    customer.orders.items.delete(order.id, changed)
    assert list(customer.orders.items.list(order.id)) == []
    assert anyone.get_rating_summary(product.id).count == 0


def test_writes_many_rows_by_one_request() -> None:
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Batched", price=100, currency="EUR", delivery=PARCEL)
    upsert = ProductBatchUpsert(key=ProductBatchKey(sku=body.sku), create=body, update=ProductPatch(price=200))
    made = ProductBatchItem(create=ProductBatchCreate(input_=body))
    first, second = staff.batch_products(ProductBatchInput(items=[made, ProductBatchItem(upsert=upsert)])).data
    assert isinstance(first.data, Product) and isinstance(second.data, Product)
    assert (first.status, first.data.price, second.status, second.data.price) == (201, 100, 200, 200)
    items = [made, ProductBatchItem(delete=ProductBatchDelete(id=first.data.id, if_version=2))]
    refused, gone = staff.batch_products(ProductBatchInput(mode=ProductBatchInputMode.EACH, items=items)).data
    assert isinstance(refused.error, Problem)
    assert (refused.status, refused.error.code, gone.status, gone.data) == (409, "ALREADY_EXISTS", 204, UNSET)


def test_saves_an_answer_that_has_not_changed() -> None:
    product = new_product(100)
    read = get_product.sync_detailed(product.id, client=anyone)
    again = get_product.sync_detailed(product.id, client=anyone, if_none_match=read.etag)
    assert (again.status_code, again.parsed) == (304, None)


def test_raises_what_the_api_refuses() -> None:
    product = new_product(100)
    for call, expected in (
        (lambda: anyone.orders.list().page(), UnauthenticatedError),
        (lambda: customer.products.update(product, ProductPatch(price=1)), ForbiddenError),
        (lambda: anyone.products.get(UUID(int=7)), NotFoundError),
    ):
        try:
            call()
        except expected as error:
            assert error.request_id
        else:
            raise AssertionError(f"no {expected.__name__}")
    try:
        staff.products.update(product, ProductPatch(price=-1, tax_rate="nine"))
    except ValidationFailedError as faulty:
        assert {fault.pointer for fault in faulty.errors} == {"/price", "/taxRate"}
    else:
        raise AssertionError("nothing was wrong")


def test_raises_the_codes_of_the_contract() -> None:
    product = new_product(100)
    staff.products.update(product, ProductPatch(status=ProductStatus.ACTIVE))
    order = customer.orders.create(OrderInput(note="A gift."))
    customer.orders.items.create(order.id, OrderItemInput(product_id=product.id, quantity=2))
    assert [item.quantity for item in customer.orders.items.list(order.id)] == [2]
    other = new_product(100)
    staff.products.update(other, ProductPatch(status=ProductStatus.ACTIVE))
    try:
        customer.orders.items.create(order.id, OrderItemInput(product_id=other.id, quantity=999))
    except OutOfStockError as error:
        assert error.detail
    else:
        raise AssertionError("it was sold")


def test_waits_as_long_as_the_server_asks() -> None:
    hasty = connect(os.environ["LIMITED_URL"], longest_wait=0)
    try:
        for _ in range(10):
            hasty.products.list(limit=1).page()
    except TooManyRequestsError as error:
        assert error.retry_after is not None and error.retry_after > 0
    else:
        raise AssertionError("no limit")
    patient = connect(os.environ["BUSY_URL"])
    before = monotonic()
    patient.products.list(limit=1).page()
    assert monotonic() - before >= 1


def test_sends_the_consistency_token_of_the_last_answer() -> None:
    counting = connect(os.environ["COUNTING_URL"])
    told = [list_products.sync_detailed(client=counting, limit=1).headers["Consistency-Token"] for _ in range(3)]
    assert told == ["s1", "s2", "s3"]


def test_tells_the_variants_of_a_union() -> None:
    download = DigitalDelivery(kind="DIGITAL", download_url="https://example.com/guide.pdf", size_bytes=5_000_000_000)
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Guide", price=1, currency="EUR", delivery=download)
    product = anyone.products.get(staff.products.create(body).id)
    match product.delivery:
        case DigitalDelivery(size_bytes=size):
            assert size == 5_000_000_000
        case PhysicalDelivery():
            raise AssertionError("a download is no parcel")


def test_keeps_decimals_and_large_numbers_exact() -> None:
    body = ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Exact", price=1, currency="EUR", delivery=PARCEL, tax_rate="0.075")
    product = staff.products.create(body)
    assert isinstance(product.tax_rate, str) and Decimal(product.tax_rate) == Decimal("0.075")
    assert int(product.units_sold) == 0


def test_reads_what_a_newer_server_answers() -> None:
    product = new_product(100)
    newer = connect(os.environ["NEWER_URL"]).products.get(product.id)
    assert newer.status == "PREORDER" and newer.status not in list(ProductStatus)
    assert newer.additional_properties["colour"] == "blue"
    try:
        connect(os.environ["NEWER_URL"]).products.get(UUID(int=7))
    except ApiError as error:
        assert (error.code, error.status) == ("GONE_FISHING", 404)


def test_deletes() -> None:
    product = new_product(100)
    staff.products.delete(product)
    try:
        anyone.products.get(product.id)
    except NotFoundError:
        return
    raise AssertionError("it is still there")


def test_does_the_same_asynchronously() -> None:
    async def same() -> list[int]:
        async with connect_async(URL, lambda: os.environ["STAFF_TOKEN"]) as client:
            try:
                await client.products.get(UUID(int=7))
            except NotFoundError:
                pass
            product = await client.products.create(
                ProductInput(sku=f"PY-{uuid4().hex[:8].upper()}", name="Async", price=100, currency="EUR", delivery=PARCEL)
            )
            prices: list[int] = []

            async def dearer(current: Product) -> ProductPatch:
                prices.append(current.price)
                if len(prices) == 1:
                    await client.products.update(product.id, ProductPatch(price=500))
                return ProductPatch(price=current.price + 1)

            assert (await client.products.change(product, dearer)).price == 501
            changed = await client.products.change(product, lambda current: ProductPatch(price=current.price + 1))
            await client.products.delete(changed)
            mugs = client.products.list(name_contains="Paged", sort=[ProductSort.PRICE], limit=3)
            assert [len(page.data) async for page in mugs.pages()] == [3, 3, 1]
            by_module = arows(list_products.asyncio, client=client, name_contains="Paged", limit=3)
            assert len([product async for product in by_module]) == 7
            return [product.price async for product in mugs]

    assert asyncio.run(same()) == [1, 2, 3, 4, 5, 6, 7]


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"passed {name}")
