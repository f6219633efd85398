import com.acme.shop.Client;
import com.acme.shop.Events;
import com.acme.shop.Graphql;
import com.acme.shop.ProblemException;
import com.acme.shop.Problems;
import com.acme.shop.graphql.types.Product;
import com.acme.shop.model.PhysicalDelivery;
import com.acme.shop.model.ProductInput;
import com.acme.shop.model.ProductPatch;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Subscriptions through the Java client: those of the storefront, and those of a server on its worse days. */
public final class EventsTest extends Program {
  private static final String UPDATED = "subscription { productUpdated { id version createdAt name } }";

  private final String url = System.getenv("API_URL");
  private final AtomicInteger tokens = new AtomicInteger();
  private final AtomicInteger missed = new AtomicInteger();

  private Events<JsonNode> from(String path) throws Exception {
    URI endpoint = URI.create(System.getenv("EVENTS_URL") + path);
    return new Graphql(endpoint, () -> "token-" + tokens.incrementAndGet()).subscribe(UPDATED, Map.of());
  }

  private static long version(JsonNode data) {
    return data.path("productUpdated").path("version").asLong();
  }

  void followsTheStorefront() throws Exception {
    Client staff = new Client(url, () -> System.getenv("STAFF_TOKEN"));
    com.acme.shop.model.PhysicalDelivery parcel =
        new PhysicalDelivery().kind(PhysicalDelivery.KindEnum.PHYSICAL).weightGrams(410);
    ProductInput input =
        new ProductInput()
            .sku("JE-" + UUID.randomUUID().toString().substring(0, 8).toUpperCase())
            .name("Followed")
            .price(100)
            .currency("EUR")
            .delivery(new com.acme.shop.model.Delivery(parcel));
    UUID id = staff.products().create(input).getId();
    Runnable change =
        () -> {
          try {
            staff.products().update(id, new ProductPatch().price(200));
            staff.products().update(id, new ProductPatch().price(300));
          } catch (com.acme.shop.invoker.ApiException e) {
            throw new IllegalStateException(e);
          }
        };
    try (Events<Product> events = new Graphql(url).onProductUpdated(id.toString()).onConnected(change)) {
      Iterator<Product> products = events.iterator();
      expect(products.next().getPrice(), 200);
      Product second = products.next();
      expect(second.getPrice(), 300);
      expect(second.getId(), id.toString());
    }
  }

  void refusesAsTheApiDoes() throws Exception {
    Events<?> events = new Graphql(url).onOrderUpdated(null, null).onMissed(missed::incrementAndGet);
    refuse(Problems.Unauthenticated.class, () -> events.iterator().hasNext());
    Events<JsonNode> unknown = new Graphql(url).subscribe("subscription { nothing }", Map.of());
    expect(refuse(ProblemException.class, () -> unknown.iterator().hasNext()).status(), 400);
  }

  void connectsAgainAndLeavesOutOlderEvents() throws Exception {
    List<Long> seen = new ArrayList<>();
    Events<JsonNode> events = from("/losing").onMissed(missed::incrementAndGet);
    Iterator<JsonNode> each = events.iterator();
    while (seen.size() < 5) {
      seen.add(version(each.next()));
    }
    expect(seen, List.of(2L, 3L, 4L, 5L, 6L));
    expect(missed.get(), 4);
    expect(tokens.get(), 5);
    CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(each::hasNext);
    Thread.sleep(50);
    events.close();
    expect(waiting.get(), false);
  }

  void endsWithARefusal() throws Exception {
    Iterator<JsonNode> forbidden = from("/refusing").onMissed(missed::incrementAndGet).iterator();
    refuse(Problems.Forbidden.class, forbidden::hasNext);
    expect(forbidden.hasNext(), false);
    URI endpoint = URI.create(System.getenv("EVENTS_URL") + "/expired");
    Events<JsonNode> anybodys = new Graphql(endpoint, null).subscribe(UPDATED, Map.of());
    refuse(Problems.Unauthenticated.class, () -> anybodys.onMissed(missed::incrementAndGet).iterator().hasNext());
    expect(tokens.get(), 1);
  }

  void connectsAgainWhenItsTokenHasExpired() throws Exception {
    Events<JsonNode> events = from("/expiring").onMissed(missed::incrementAndGet);
    expect(version(events.iterator().next()), 1L);
    events.close();
    expect(tokens.get(), 2);
  }

  void missesNothingInSilence() throws Exception {
    Iterator<JsonNode> missing = from("/missing").iterator();
    expect(version(missing.next()), 1L);
    expect(refuse(ProblemException.class, missing::hasNext).code(), "EVENTS_MISSED");
    Iterator<JsonNode> breaking = from("/breaking").iterator();
    expect(version(breaking.next()), 1L);
    refuse(UncheckedIOException.class, breaking::hasNext);
    expect(tokens.get(), 2);
  }

  void endsWhereTheServerCompletes() throws Exception {
    Iterator<JsonNode> complete = from("/complete").onMissed(missed::incrementAndGet).iterator();
    expect(version(complete.next()), 1L);
    expect(complete.hasNext(), false);
    expect(tokens.get(), 1);
  }

  void takesSilenceForALoss() throws Exception {
    Events<JsonNode> events = from("/silent").idle(Duration.ofMillis(500)).onMissed(missed::incrementAndGet);
    expect(version(events.iterator().next()), 1L);
    events.close();
    expect(missed.get(), 1);
    expect(tokens.get(), 2);
  }

  void givesUpAfterSoManyAttempts() throws Exception {
    Events<JsonNode> events = from("/gone").onMissed(missed::incrementAndGet).maxRetries(2);
    refuse(UncheckedIOException.class, () -> events.iterator().hasNext());
    expect(tokens.get(), 3);
    expect(missed.get(), 0);
  }

  public static void main(String[] args) throws Throwable {
    run(EventsTest.class, EventsTest::new);
  }
}
