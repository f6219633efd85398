import com.acme.shop.Graphql;
import com.acme.shop.Pages;
import com.acme.shop.ProblemException;
import com.acme.shop.Problems;
import com.acme.shop.graphql.types.*;
import com.acme.shop.invoker.ApiException;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The storefront over GraphQL through its Java client: what a program does with it, which asserts what it gets. */
public final class GraphqlTest extends Program {
  private static final String REVIEWED =
      "query ($id: ID!) { product(id: $id) { name reviews(first: 5) { nodes { rating title } pageInfo { hasNextPage } } } }";

  private final String url = System.getenv("API_URL");
  private final Graphql anybody = new Graphql(url);
  private final Graphql customer = new Graphql(url, () -> System.getenv("CUSTOMER_TOKEN"));
  private final Graphql staff = new Graphql(url, () -> System.getenv("STAFF_TOKEN"));

  private static ProductInput input(String name, int price) {
    PhysicalDeliveryInput parcel = PhysicalDeliveryInput.newBuilder().weightGrams(410).build();
    return ProductInput.newBuilder()
        .sku("JG-" + UUID.randomUUID().toString().substring(0, 8).toUpperCase())
        .name(name)
        .price(price)
        .currency("EUR")
        .delivery(DeliveryInput.newBuilder().physical(parcel).build())
        .taxRate(new BigDecimal("0.075"))
        .tags(List.of("b", "a"))
        .stock(77)
        .build();
  }

  private Product create(String name, int price) throws ApiException {
    return staff.createProduct(input(name, price));
  }

  void asksForANestedConnection() throws ApiException {
    Product made = create("Reviewed mug", 100);
    staff.updateProduct(made.getId(), ProductPatch.newBuilder().status(ProductStatus.ACTIVE).build(), null);
    customer.createReview(made.getId(), ReviewInput.newBuilder().rating(5).title("Sch\u00f6ne T\u00fcte").build());
    JsonNode data = customer.run(REVIEWED, Map.of("id", made.getId()));
    Product product = customer.read(data.get("product"), Product.class);
    expect(product.getReviews().getNodes().get(0).getTitle(), "Sch\u00f6ne T\u00fcte");
  }

  void mapsScalarsAndUnions() throws ApiException {
    Product made = create("Typed mug", 100);
    expect(made.getTaxRate(), new BigDecimal("0.075"));
    expect(made.getUnitsSold(), BigInteger.ZERO);
    expect(made.getCreatedAt().isAfter(OffsetDateTime.parse("2020-01-01T00:00:00+01:00")), true);
    expect(((PhysicalDelivery) made.getDelivery()).getWeightGrams(), 410);
  }

  void setsClearsAndLeavesOut() throws ApiException {
    Product made = create("Patched", 100);
    ProductPatch patch = ProductPatch.newBuilder().description("Text").price(150).build();
    expect(staff.updateProduct(made.getId(), patch, null).getDescription(), "Text");
    patch = ProductPatch.newBuilder().description(null).tags(List.of()).build();
    Product changed = staff.updateProduct(made.getId(), patch, null);
    expect(changed.getDescription(), null);
    expect(changed.getTags(), List.of());
    expect(changed.getPrice(), 150);
    expect(changed.getStock(), 77);
  }

  void goesThroughPagesAsTheyAreNeeded() throws ApiException {
    for (int price : new int[] {3, 1, 2, 5, 4}) {
      create("Leafed mug", price);
    }
    ProductFilter filter =
        ProductFilter.newBuilder()
            .name(TextFilter.newBuilder().contains("Leafed").build())
            .price(IntRange.newBuilder().gte(2).build())
            .unitsSold(BigIntRange.newBuilder().lte(BigInteger.ZERO).build())
            .createdAt(DateTimeRange.newBuilder().gt(OffsetDateTime.parse("2020-01-01T00:00:00+01:00")).build())
            .status(List.of(ProductStatus.DRAFT))
            .build();
    var found =
        Pages.all(
            cursor -> staff.getProducts(2, cursor, filter, List.of(ProductSort.PRICE_ASC)),
            ProductConnection::getNodes,
            page -> Graphql.next(page.getPageInfo()));
    expect(found.map(Product::getPrice).collect(Collectors.toList()), List.of(2, 3, 4, 5));
  }

  void tellsWhatTheApiRefuses() throws ApiException {
    Product made = create("Refused", 100);
    ProductPatch patch = ProductPatch.newBuilder().price(1).build();
    refuse(Problems.Unauthenticated.class, () -> anybody.getOrders(null, null, null, null));
    refuse(Problems.Forbidden.class, () -> customer.updateProduct(made.getId(), patch, null));
    refuse(Problems.NotFound.class, () -> anybody.getProduct(new UUID(0, 7).toString()));
    refuse(Problems.PreconditionFailed.class, () -> staff.updateProduct(made.getId(), patch, 9));
    ProductPatch faulty = ProductPatch.newBuilder().price(-1).stock(-1).build();
    ProblemException refused =
        refuse(Problems.ValidationFailed.class, () -> staff.updateProduct(made.getId(), faulty, null));
    expect(refused.status(), 400);
    expect(
        refused.errors().stream().map(one -> one.argument).collect(Collectors.toSet()),
        Set.of("input.price", "input.stock"));
    expect(refused.requestId().isPresent(), true);
  }

  void waitsAsLongAsTheServerAsks() throws ApiException {
    long before = System.nanoTime();
    new Graphql(System.getenv("BUSY_URL")).getProducts(1, null, null, null);
    expect(System.nanoTime() - before >= 1_000_000_000L, true);
  }

  void readsWhatANewerServerAnswers() throws ApiException {
    Product made = create("Newer", 100);
    expect(new Graphql(System.getenv("NEWER_URL")).getProduct(made.getId()).getStatus(), null);
  }

  public static void main(String[] args) throws Throwable {
    GraphqlTest test = new GraphqlTest();
    run(GraphqlTest.class, () -> test);
  }
}
