package com.example.client;

import com.example.client.invoker.ApiClient;
import com.example.client.invoker.ApiResponse;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The client of the whole API, which each class of {@code api} takes: {@code new …Api(new Connection(url))}. What the API refuses is
 * thrown as a {@link ProblemException}, of the class of its code in {@link Problems}.
 */
public class Connection extends ApiClient {
  private final HttpClient client;

  /** A connection of nobody who is signed in. */
  public Connection(String baseUrl) {
    this(baseUrl, null);
  }

  /** {@code token} is asked before each attempt. */
  public Connection(String baseUrl, Supplier<String> token) {
    this(baseUrl, token, 3, Duration.ofSeconds(20));
  }

  /**
   * What is refused for a while, and what got no answer and can be repeated, is sent again up to {@code retries} times; if the
   * server asks for a longer wait than {@code longestWait}, that is left to the caller.
   */
  public Connection(String baseUrl, Supplier<String> token, int retries, Duration longestWait) {
    updateBaseUri(baseUrl);
    setReadTimeout(Duration.ofSeconds(30));
    HttpClient sender = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    client = new RetryingClient(sender, token, retries, longestWait);
  }

  @Override
  public HttpClient getHttpClient() {
    return client;
  }

  /** The entity tag of what was answered, for {@code ifMatch} and {@code ifNoneMatch}. */
  public static String etag(ApiResponse<?> response) {
    for (Map.Entry<String, List<String>> field : response.getHeaders().entrySet()) {
      if (field.getKey().equalsIgnoreCase("ETag")) {
        return field.getValue().get(0);
      }
    }
    return null;
  }
}
