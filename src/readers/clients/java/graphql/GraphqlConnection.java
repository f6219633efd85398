package com.example.client;

import com.example.client.invoker.ApiException;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends documents; what the API refuses is thrown as a {@link ProblemException}, of the class of its code in {@link Problems}. */
public class GraphqlConnection {
  private static final Pattern MUTATION = Pattern.compile("\\s*mutation\\b[^{]*\\{\\s*(\\w+).*", Pattern.DOTALL);
  static final ObjectMapper MAPPER = mapper();

  private final URI url;
  private final RetryingClient client;
  private final Set<String> creating;

  /** {@code token} is asked before each attempt, unless it is null; {@code creating} are the mutations whose keys the server keeps. */
  protected GraphqlConnection(URI url, Supplier<String> token, Set<String> creating) {
    this.url = url;
    this.creating = creating;
    HttpClient sender = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    client = new RetryingClient(sender, token, 3, Duration.ofSeconds(20));
  }

  /** The data of a document of one's own; {@link #read} makes an object of a part of it. */
  public JsonNode run(String document, Map<String, ?> variables) throws ApiException {
    return run(document, variables, null);
  }

  /** The same with a key for what it creates, for attempts of a later run; without it, each call has one of its own. */
  public JsonNode run(String document, Map<String, ?> variables, String idempotencyKey) throws ApiException {
    Matcher mutation = MUTATION.matcher(document);
    boolean isChange = mutation.matches();
    boolean isKeyed = isChange && creating.contains(mutation.group(1));
    try {
      HttpRequest.Builder request =
          request(document, variables, "application/graphql-response+json").timeout(Duration.ofSeconds(30));
      if (isKeyed) {
        request.header("Idempotency-Key", idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey);
      }
      HttpResponse.BodyHandler<InputStream> stream = HttpResponse.BodyHandlers.ofInputStream();
      HttpResponse<InputStream> response = client.send(request.build(), stream, null, !isChange || isKeyed);
      return dataOf(MAPPER.readTree(response.body().readAllBytes()), response.headers());
    } catch (IOException e) {
      throw new ApiException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(e);
    }
  }

  /** The data of each event of a subscription of one's own; {@link #read} makes an object of a part of it. */
  public Events<JsonNode> subscribe(String document, Map<String, ?> variables) throws ApiException {
    return subscribe(document, variables, data -> data);
  }

  /** The same, of which {@code read} makes an event. */
  protected <T> Events<T> subscribe(String document, Map<String, ?> variables, Function<JsonNode, T> read)
      throws ApiException {
    try {
      return new Events<>(client, request(document, variables, "text/event-stream").build(), read);
    } catch (IOException e) {
      throw new ApiException(e);
    }
  }

  private HttpRequest.Builder request(String document, Map<String, ?> variables, String accept) throws IOException {
    byte[] body = MAPPER.writeValueAsBytes(Map.of("query", document, "variables", variables));
    return HttpRequest.newBuilder(url)
        .header("Content-Type", "application/json")
        .header("Accept", accept)
        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
  }

  /** A value of an answer as an object. */
  public <T> T read(JsonNode value, Class<T> type) {
    return MAPPER.convertValue(value, type);
  }

  /** A value of a type with parameters. */
  protected <T> T read(JsonNode value, TypeReference<T> type) {
    return MAPPER.convertValue(value, type);
  }

  /** The data of an answer without errors; throws the first of them, which has the others as its suppressed ones. */
  static JsonNode dataOf(JsonNode answer, HttpHeaders headers) throws IOException {
    ProblemException first = null;
    for (JsonNode error : answer.path("errors")) {
      int status = error.path("extensions").path("status").asInt(500);
      byte[] body = MAPPER.writeValueAsBytes(Map.of("errors", new JsonNode[] {error}));
      ProblemException problem = Problems.read(status, headers, new ByteArrayInputStream(body));
      if (first == null) {
        first = problem;
      } else {
        first.addSuppressed(problem);
      }
    }
    if (first != null) {
      throw first;
    }
    return answer.path("data");
  }

  /** What is not set is not sent; a set of nothing is null. Text for numbers that other languages would round. */
  private static ObjectMapper mapper() {
    SimpleModule module = new SimpleModule();
    module.addSerializer(BigInteger.class, ToStringSerializer.instance);
    module.addSerializer(new DecimalSerializer());
    module.addSerializer(new OptionalSerializer());
    return new ObjectMapper()
        .registerModules(new JavaTimeModule(), module)
        .setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
        .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
        .setVisibility(PropertyAccessor.CREATOR, JsonAutoDetect.Visibility.ANY)
        .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(DeserializationFeature.FAIL_ON_INVALID_SUBTYPE)
        .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL);
  }

  private static final class DecimalSerializer extends JsonSerializer<BigDecimal> {
    @Override
    public void serialize(BigDecimal value, JsonGenerator json, SerializerProvider provider) throws IOException {
      json.writeString(value.toPlainString());
    }

    @Override
    public Class<BigDecimal> handledType() {
      return BigDecimal.class;
    }
  }

  private static final class OptionalSerializer extends JsonSerializer<Optional<?>> {
    @Override
    public void serialize(Optional<?> value, JsonGenerator json, SerializerProvider provider) throws IOException {
      if (value.isPresent()) {
        provider.defaultSerializeValue(value.get(), json);
      } else {
        json.writeNull();
      }
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Class<Optional<?>> handledType() {
      return (Class) Optional.class;
    }
  }
}
