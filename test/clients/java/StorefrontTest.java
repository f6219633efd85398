import com.acme.shop.Connection;
import com.acme.shop.NotModifiedException;
import com.acme.shop.Pages;
import com.acme.shop.ProblemException;
import com.acme.shop.Problems;
import com.acme.shop.api.ItemsApi;
import com.acme.shop.api.OrdersApi;
import com.acme.shop.api.ProductsApi;
import com.acme.shop.invoker.ApiException;
import com.acme.shop.model.*;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The storefront through its Java client: a tour of everything that a program does with it, which asserts what it gets. */
public final class StorefrontTest {
  private final String url = System.getenv("API_URL");
  private final Connection anybody = new Connection(url);
  private final Connection customer = new Connection(url, () -> System.getenv("CUSTOMER_TOKEN"));
  private final Connection staff = new Connection(url, () -> System.getenv("STAFF_TOKEN"));
  private final ProductsApi catalogue = new ProductsApi(anybody);
  private final ProductsApi warehouse = new ProductsApi(staff);

  private static ProductInput input(String name, int price) {
    PhysicalDelivery parcel = new PhysicalDelivery().kind(PhysicalDelivery.KindEnum.PHYSICAL).weightGrams(410);
    String sku = "JV-" + UUID.randomUUID().toString().substring(0, 8).toUpperCase();
    return new ProductInput().sku(sku).name(name).price(price).currency("EUR").delivery(new Delivery(parcel)).stock(10);
  }

  private Product create(ProductInput body) throws ApiException {
    return warehouse.createProduct(body, null);
  }

  void listsWithFiltersAndInOrder() throws ApiException {
    for (int price : new int[] {100, 300, 200, 900}) {
      create(input("Filtered mug", price));
    }
    ProductPage page =
        catalogue.listProducts(
            ProductsApi.APIListProductsRequest.newBuilder()
                .nameContains("Filtered")
                .priceGte(200)
                .priceLt(900)
                .status(List.of(ProductStatus.DRAFT, ProductStatus.ACTIVE))
                .createdAtGt(OffsetDateTime.parse("2020-01-01T00:00:00+01:00"))
                .unitsSoldLte("0")
                .sort(List.of(ProductSort.PRICE_DESC, ProductSort.NAME))
                .count(true)
                .build());
    expect(page.getData().stream().map(Product::getPrice).toList(), List.of(300, 200));
    expect(page.getPage().getTotalCount(), 2L);
  }

  void goesThroughPagesAsTheyAreNeeded() throws ApiException {
    for (int price = 1; price <= 7; price++) {
      create(input("Paged mug", price));
    }
    AtomicInteger asked = new AtomicInteger();
    var found =
        Pages.all(
            cursor -> {
              asked.incrementAndGet();
              return catalogue.listProducts(
                  ProductsApi.APIListProductsRequest.newBuilder()
                      .nameContains("Paged")
                      .sort(List.of(ProductSort.PRICE))
                      .limit(2)
                      .cursor(cursor)
                      .build());
            },
            ProductPage::getData,
            page -> page.getPage().getNextCursor());
    expect(found.limit(5).map(Product::getPrice).toList(), List.of(1, 2, 3, 4, 5));
    expect(asked.get(), 3);
  }

  void createsOnceWithAKey() throws ApiException {
    String key = UUID.randomUUID().toString();
    ProductInput body = input("Once", 100);
    expect(warehouse.createProduct(body, key).getId(), warehouse.createProduct(body, key).getId());
  }

  void setsClearsAndLeavesOut() throws ApiException {
    Product product =
        create(input("Getauscht: Tüte", 100).description("Text").taxRate("0.19").stock(77).tags(List.of("b", "a")));
    ProductPatch patch = new ProductPatch().price(150).description(null);
    Product changed = warehouse.updateProduct(product.getId(), patch, null);
    expect(changed.getPrice(), 150);
    expect(changed.getDescription(), null);
    expect(changed.getStock(), 77);
    expect(changed.getTags(), List.of("b", "a"));
    expect(changed.getTaxRate(), "0.19");
    expect(changed.getName(), "Getauscht: Tüte");
  }

  void changesOnlyTheVersionThatWasRead() throws ApiException {
    UUID id = create(input("Contested", 100)).getId();
    String read = Connection.etag(warehouse.getProductWithHttpInfo(id, null));
    warehouse.updateProduct(id, new ProductPatch().price(200), read);
    refuse(Problems.PreconditionFailed.class, () -> warehouse.updateProduct(id, new ProductPatch().price(300), read));
  }

  void savesAnAnswerThatHasNotChanged() throws ApiException {
    UUID id = create(input("Unchanged", 100)).getId();
    String read = Connection.etag(catalogue.getProductWithHttpInfo(id, null));
    refuse(NotModifiedException.class, () -> catalogue.getProduct(id, read));
  }

  void throwsWhatTheApiRefuses() throws ApiException {
    UUID id = create(input("Refused", 100)).getId();
    var all = OrdersApi.APIListOrdersRequest.newBuilder().build();
    refuse(Problems.Unauthenticated.class, () -> new OrdersApi(anybody).listOrders(all));
    ProductPatch patch = new ProductPatch().price(1);
    refuse(Problems.Forbidden.class, () -> new ProductsApi(customer).updateProduct(id, patch, null));
    refuse(Problems.NotFound.class, () -> catalogue.getProduct(UUID.randomUUID(), null));
    ProductPatch wrong = new ProductPatch().price(-1).taxRate("nine");
    var problem = refuse(Problems.ValidationFailed.class, () -> warehouse.updateProduct(id, wrong, null));
    expect(problem.status(), 400);
    expect(problem.errors().get(0).pointer, "/price");
    expect(problem.requestId().isPresent(), true);
  }

  void throwsTheCodesOfTheContract() throws ApiException {
    Product product = create(input("Sold", 100));
    Product other = create(input("Sold out", 100));
    for (Product one : List.of(product, other)) {
      warehouse.updateProduct(one.getId(), new ProductPatch().status(ProductStatus.ACTIVE), null);
    }
    Order order = new OrdersApi(customer).createOrder(new OrderInput().note("A gift."), null);
    ItemsApi items = new ItemsApi(customer);
    items.createItem(order.getId(), new OrderItemInput().productId(product.getId()).quantity(2), null);
    var all = ItemsApi.APIListItemsRequest.newBuilder().orderId(order.getId()).build();
    expect(items.listItems(all).getData().get(0).getQuantity(), 2);
    OrderItemInput many = new OrderItemInput().productId(other.getId()).quantity(999);
    refuse(Problems.OutOfStock.class, () -> items.createItem(order.getId(), many, null));
  }

  void waitsAsLongAsTheServerAsks() throws ApiException {
    ProductsApi hasty = new ProductsApi(new Connection(System.getenv("LIMITED_URL"), null, 0, Duration.ZERO));
    var one = ProductsApi.APIListProductsRequest.newBuilder().limit(1).build();
    var problem =
        refuse(
            Problems.TooManyRequests.class,
            () -> {
              for (int i = 0; i < 10; i++) {
                hasty.listProducts(one);
              }
            });
    expect(problem.retryAfter().orElseThrow().isZero(), false);

    Instant before = Instant.now();
    new ProductsApi(new Connection(System.getenv("BUSY_URL"))).listProducts(one);
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
    Object delivery = catalogue.getProduct(product.getId(), null).getDelivery().getActualInstance();
    expect(delivery instanceof DigitalDelivery found ? found.getSizeBytes() : null, 5_000_000_000L);
  }

  void keepsDecimalsAndLargeNumbersExact() throws ApiException {
    Product product = create(input("Exact", 1).taxRate("0.075"));
    expect(new BigDecimal(product.getTaxRate()), new BigDecimal("0.075"));
    expect(Long.parseLong(product.getUnitsSold()), 0L);
    expect(product.getVersion(), 1L);
  }

  void readsWhatANewerServerAnswers() throws ApiException {
    ProductsApi newer = new ProductsApi(new Connection(System.getenv("NEWER_URL")));
    UUID id = create(input("Newer", 100)).getId();
    expect(newer.getProduct(id, null).getStatus(), ProductStatus.UNKNOWN_DEFAULT_OPEN_API);
    var problem = refuse(ProblemException.class, () -> newer.getProduct(UUID.randomUUID(), null));
    expect(problem.code(), "GONE_FISHING");
  }

  void deletes() throws ApiException {
    UUID id = create(input("Deleted", 100)).getId();
    expect(warehouse.deleteProductWithHttpInfo(id, null).getStatusCode(), 204);
  }

  @FunctionalInterface
  private interface Call {
    void run() throws ApiException;
  }

  private static <E extends RuntimeException> E refuse(Class<E> expected, Call call) throws ApiException {
    try {
      call.run();
    } catch (RuntimeException e) {
      if (expected.isInstance(e)) {
        return expected.cast(e);
      }
      throw e;
    }
    throw new AssertionError("no " + expected.getSimpleName());
  }

  private static void expect(Object found, Object expected) {
    if (!Objects.equals(found, expected)) {
      throw new AssertionError(found + ", not " + expected);
    }
  }

  public static void main(String[] args) throws Throwable {
    StorefrontTest test = new StorefrontTest();
    for (Method method : StorefrontTest.class.getDeclaredMethods()) {
      if (method.isSynthetic() || method.getModifiers() != 0 || method.getParameterCount() > 0) {
        continue;
      }
      try {
        method.invoke(test);
      } catch (InvocationTargetException e) {
        throw new AssertionError(method.getName(), e.getCause());
      }
      System.out.println("passed " + method.getName());
    }
  }
}
