import com.acme.shop.Client;
import com.acme.shop.Connection;
import com.acme.shop.NotModifiedException;
import com.acme.shop.ProblemException;
import com.acme.shop.Problems;
import com.acme.shop.api.ProductsApi;
import com.acme.shop.invoker.ApiException;
import com.acme.shop.model.*;
import com.acme.shop.resources.OrdersItemsResource;
import com.acme.shop.resources.ProductsResource;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The storefront through its Java client: a tour of everything that a program does with it, which asserts what it gets. */
public final class StorefrontTest extends Program {
  private final String url = System.getenv("API_URL");
  private final Client anybody = new Client(url);
  private final Client customer = new Client(url, () -> System.getenv("CUSTOMER_TOKEN"));
  private final Client staff = new Client(url, () -> System.getenv("STAFF_TOKEN"));

  private static ProductInput input(String name, int price) {
    PhysicalDelivery parcel = new PhysicalDelivery().kind(PhysicalDelivery.KindEnum.PHYSICAL).weightGrams(410);
    String sku = "JV-" + UUID.randomUUID().toString().substring(0, 8).toUpperCase();
    return new ProductInput().sku(sku).name(name).price(price).currency("EUR").delivery(new Delivery(parcel)).stock(10);
  }

  private Product create(ProductInput body) throws ApiException {
    return staff.products().create(body);
  }

  void listsWithFiltersAndInOrder() throws ApiException {
    for (int price : new int[] {100, 300, 200, 900}) {
      create(input("Filtered mug", price));
    }
    ProductPage page =
        anybody
            .products()
            .list(
                query ->
                    query
                        .nameContains("Filtered")
                        .priceGte(200)
                        .priceLt(900)
                        .status(List.of(ProductStatus.DRAFT, ProductStatus.ACTIVE))
                        .createdAtGt(OffsetDateTime.parse("2020-01-01T00:00:00+01:00"))
                        .unitsSoldLte("0")
                        .sort(List.of(ProductSort.PRICE_DESC, ProductSort.NAME))
                        .count(true))
            .page();
    expect(page.getData().stream().map(Product::getPrice).toList(), List.of(300, 200));
    expect(page.getPage().getTotalCount(), 2L);
  }

  void goesThroughPagesAsTheyAreNeeded() throws ApiException {
    for (int price = 1; price <= 7; price++) {
      create(input("Paged mug", price));
    }
    AtomicInteger asked = new AtomicInteger();
    Connection connection = new Connection(url);
    connection.setRequestInterceptor(request -> asked.incrementAndGet());
    var found =
        new Client(connection)
            .products()
            .list(query -> query.nameContains("Paged").sort(List.of(ProductSort.PRICE)).limit(2));
    expect(asked.get(), 0);
    expect(found.stream().limit(5).map(Product::getPrice).toList(), List.of(1, 2, 3, 4, 5));
    expect(asked.get(), 3);
    List<Integer> prices = new ArrayList<>();
    for (Product product : found) {
      prices.add(product.getPrice());
    }
    expect(prices, List.of(1, 2, 3, 4, 5, 6, 7));
    expect(found.pages().map(page -> page.getData().size()).toList(), List.of(2, 2, 2, 1));
    ProductPage second = found.page(found.page().getPage().getNextCursor());
    expect(second.getData().get(0).getPrice(), 3);
  }

  void createsOnceWithAKey() throws ApiException {
    String key = UUID.randomUUID().toString();
    ProductInput body = input("Once", 100);
    expect(staff.products().create(body, key).getId(), staff.products().create(body, key).getId());
  }

  void setsClearsAndLeavesOut() throws ApiException {
    Product product =
        create(input("Getauscht: Tüte", 100).description("Text").taxRate("0.19").stock(77).tags(List.of("b", "a")));
    ProductPatch patch = new ProductPatch().price(150).description(null);
    Product changed = staff.products().update(product, patch);
    expect(changed.getPrice(), 150);
    expect(changed.getDescription(), null);
    expect(changed.getStock(), 77);
    expect(changed.getTags(), List.of("b", "a"));
    expect(changed.getTaxRate(), "0.19");
    expect(changed.getName(), "Getauscht: Tüte");
  }

  void changesOnlyTheVersionThatWasRead() throws ApiException {
    ProductsResource products = staff.products();
    Product read = create(input("Contested", 100));
    products.update(read.getId(), new ProductPatch().price(200), read.getVersion());
    refuse(Problems.PreconditionFailed.class, () -> products.update(read, new ProductPatch().price(300)));
    refuse(Problems.PreconditionFailed.class, () -> products.replace(read, input("Contested", 300).sku(read.getSku())));
    refuse(Problems.PreconditionFailed.class, () -> products.delete(read));
    expect(products.update(read.getId(), new ProductPatch().price(400)).getVersion(), 3L);
    Product current = products.get(read.getId());
    expect(products.replace(current, input("Replaced", 500).sku(read.getSku())).getName(), "Replaced");
  }

  void changesAgainWhenSomebodyWasFaster() throws ApiException {
    ProductsResource products = staff.products();
    UUID id = create(input("Busy", 100)).getId();
    AtomicInteger tries = new AtomicInteger();
    Product changed =
        products.change(
            id,
            current -> {
              if (tries.incrementAndGet() < 3) {
                products.update(id, new ProductPatch().price(current.getPrice() + 10));
              }
              return new ProductPatch().price(current.getPrice() + 1);
            });
    expect(tries.get(), 3);
    expect(changed.getPrice(), 121);
    expect(products.change(id, current -> null).getVersion(), changed.getVersion());
    AtomicInteger hopeless = new AtomicInteger();
    refuse(
        Problems.PreconditionFailed.class,
        () ->
            products.change(
                id,
                current -> {
                  products.update(id, new ProductPatch().price(hopeless.incrementAndGet()));
                  return new ProductPatch().stock(1);
                }));
    expect(hopeless.get(), 5);
  }

  void savesAnAnswerThatHasNotChanged() throws ApiException {
    ProductsApi catalogue = new ProductsApi(anybody.connection());
    UUID id = create(input("Unchanged", 100)).getId();
    String read = Connection.etag(catalogue.getProductWithHttpInfo(id, null));
    refuse(NotModifiedException.class, () -> catalogue.getProduct(id, read));
  }

  void throwsWhatTheApiRefuses() throws ApiException {
    UUID id = create(input("Refused", 100)).getId();
    refuse(Problems.Unauthenticated.class, () -> anybody.orders().list().page());
    ProductPatch patch = new ProductPatch().price(1);
    refuse(Problems.Forbidden.class, () -> customer.products().update(id, patch));
    refuse(Problems.NotFound.class, () -> anybody.products().get(UUID.randomUUID()));
    ProductPatch wrong = new ProductPatch().price(-1).taxRate("nine");
    var problem = refuse(Problems.ValidationFailed.class, () -> staff.products().update(id, wrong));
    expect(problem.status(), 400);
    expect(problem.errors().get(0).pointer, "/price");
    expect(problem.requestId().isPresent(), true);
  }

  void throwsTheCodesOfTheContract() throws ApiException {
    Product product = create(input("Sold", 100));
    Product other = create(input("Sold out", 100));
    for (Product one : List.of(product, other)) {
      staff.products().update(one, new ProductPatch().status(ProductStatus.ACTIVE));
    }
    Order order = customer.orders().create(new OrderInput().note("A gift."));
    OrdersItemsResource items = customer.orders().items();
    OrderItem item = items.create(order.getId(), new OrderItemInput().productId(product.getId()).quantity(2));
    expect(items.list(order.getId()).page().getData().get(0).getQuantity(), 2);
    OrderItemInput many = new OrderItemInput().productId(other.getId()).quantity(999);
    refuse(Problems.OutOfStock.class, () -> items.create(order.getId(), many));
    expect(items.update(item, new OrderItemPatch().quantity(3)).getQuantity(), 3);
    refuse(Problems.PreconditionFailed.class, () -> items.delete(item));
    items.delete(order.getId(), item.getId());
    expect(items.list(order.getId(), query -> query.quantityGt(0)).stream().count(), 0L);
  }

  void callsTheOperationsThatAreNoActions() throws ApiException {
    UUID id = create(input("Rated", 100)).getId();
    expect(anybody.getRatingSummary(id).getCount(), 0L);
  }

  void writesManyRowsByOneRequest() throws ApiException {
    ProductInput body = input("Batched", 100);
    ProductBatchItem made = new ProductBatchItem().create(new ProductBatchCreate().input(body));
    ProductBatchUpsert upsert =
        new ProductBatchUpsert()
            .key(new ProductBatchKey().sku(body.getSku()))
            .create(body)
            .update(new ProductPatch().price(200));
    var written =
        staff
            .batchProducts(new ProductBatchInput().items(List.of(made, new ProductBatchItem().upsert(upsert))))
            .getData();
    expect(written.stream().map(ProductBatchResult::getStatus).toList(), List.of(201, 200));
    expect(written.get(1).getData().getPrice(), 200);
    ProductBatchDelete gone = new ProductBatchDelete().id(written.get(0).getData().getId()).ifVersion(2L);
    var each =
        staff
            .batchProducts(
                new ProductBatchInput()
                    .mode(ProductBatchInput.ModeEnum.EACH)
                    .items(List.of(made, new ProductBatchItem().delete(gone))))
            .getData();
    expect(each.get(0).getError().getCode().toString(), "ALREADY_EXISTS");
    expect(each.get(1).getStatus(), 204);
    expect(each.get(1).getData(), null);
  }

  void waitsAsLongAsTheServerAsks() throws ApiException {
    Client hasty = new Client(new Connection(System.getenv("LIMITED_URL"), null, 0, Duration.ZERO));
    var problem =
        refuse(
            Problems.TooManyRequests.class,
            () -> {
              for (int i = 0; i < 10; i++) {
                hasty.products().list().page();
              }
            });
    expect(problem.retryAfter().orElseThrow().isZero(), false);

    Instant before = Instant.now();
    new Client(System.getenv("BUSY_URL")).products().list().page();
    expect(Duration.between(before, Instant.now()).compareTo(Duration.ofSeconds(1)) >= 0, true);
  }

  void sendsTheConsistencyTokenOfTheLastAnswer() throws ApiException {
    var counting = new ProductsApi(new Connection(System.getenv("COUNTING_URL")));
    var one = ProductsApi.APIListProductsRequest.newBuilder().limit(1).build();
    for (String token : List.of("s1", "s2", "s3")) {
      expect(counting.listProductsWithHttpInfo(one).getHeaders().get("consistency-token"), List.of(token));
    }
  }

  void tellsTheVariantsOfAUnion() throws ApiException {
    DigitalDelivery download =
        new DigitalDelivery()
            .kind(DigitalDelivery.KindEnum.DIGITAL)
            .downloadUrl(URI.create("https://example.com/guide.pdf"))
            .sizeBytes(5_000_000_000L);
    Product product = create(input("Guide", 1).delivery(new Delivery(download)));
    Object delivery = anybody.products().get(product.getId()).getDelivery().getActualInstance();
    expect(delivery instanceof DigitalDelivery found ? found.getSizeBytes() : null, 5_000_000_000L);
  }

  void keepsDecimalsAndLargeNumbersExact() throws ApiException {
    Product product = create(input("Exact", 1).taxRate("0.075"));
    expect(new BigDecimal(product.getTaxRate()), new BigDecimal("0.075"));
    expect(Long.parseLong(product.getUnitsSold()), 0L);
    expect(product.getVersion(), 1L);
  }

  void readsWhatANewerServerAnswers() throws ApiException {
    Client newer = new Client(System.getenv("NEWER_URL"));
    UUID id = create(input("Newer", 100)).getId();
    expect(newer.products().get(id).getStatus(), ProductStatus.UNKNOWN_DEFAULT_OPEN_API);
    var problem = refuse(ProblemException.class, () -> newer.products().get(UUID.randomUUID()));
    expect(problem.code(), "GONE_FISHING");
  }

  void deletes() throws ApiException {
    Product product = create(input("Deleted", 100));
    staff.products().delete(product);
    refuse(Problems.NotFound.class, () -> anybody.products().get(product.getId()));
  }

  public static void main(String[] args) throws Throwable {
    StorefrontTest test = new StorefrontTest();
    run(StorefrontTest.class, () -> test);
  }
}
