package com.example.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Sends requests, again where that is safe; throws what is no result. */
final class RetryingClient extends HttpClient {
  /** Methods whose effect is the same once or twice (RFC 9110, 9.2.2). */
  private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");

  /** The server took no notice of the request. */
  private static final Set<Integer> REFUSED = Set.of(408, 429);

  /** Nobody knows whether it did. */
  private static final Set<Integer> UNCERTAIN = Set.of(502, 503, 504);

  private static final String CONSISTENCY = "Consistency-Token";

  private final HttpClient sender;
  private final Supplier<String> token;
  private final int retries;
  private final Duration longestWait;

  /** What this client has written, its next read sees, whichever instance answers. */
  private volatile String consistency;

  RetryingClient(HttpClient sender, Supplier<String> token, int retries, Duration longestWait) {
    this.sender = sender;
    this.token = token;
    this.retries = retries;
    this.longestWait = longestWait;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    boolean isKeyed = request.method().equals("POST");
    String key = request.headers().firstValue("Idempotency-Key").orElse(UUID.randomUUID().toString());
    boolean isRepeatable =
        isKeyed || (IDEMPOTENT.contains(request.method()) && request.headers().firstValue("If-Match").isEmpty());
    return send(request, handler, isKeyed ? key : null, isRepeatable);
  }

  <T> HttpResponse<T> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler, String key, boolean isRepeatable)
      throws IOException, InterruptedException {
    for (int attempt = 0; ; attempt++) {
      IOException broken = null;
      ProblemException problem = null;
      try {
        HttpResponse<T> response = sender.send(prepared(request, key), handler);
        consistency = response.headers().firstValue(CONSISTENCY).orElse(consistency);
        if (response.statusCode() == 304) {
          throw new NotModifiedException();
        }
        if (response.statusCode() < 400) {
          return Utf8Response.of(response);
        }
        problem = Problems.read(response.statusCode(), response.headers(), (InputStream) response.body());
      } catch (IOException e) {
        broken = e;
      }
      boolean isWorthwhile =
          problem == null
              ? isRepeatable
              : REFUSED.contains(problem.status()) || (isRepeatable && UNCERTAIN.contains(problem.status()));
      Duration wait = wait(problem, attempt);
      if (!isWorthwhile || attempt >= retries || wait.compareTo(longestWait) > 0) {
        if (problem != null) {
          throw problem;
        }
        throw broken;
      }
      Thread.sleep(wait.toMillis());
    }
  }

  private static Duration wait(ProblemException problem, int attempt) {
    Duration own = partOf(250L << attempt);
    return problem == null ? own : problem.retryAfter().orElse(own);
  }

  /** Half of it at random: callers that failed together come back one by one. */
  private static Duration partOf(long stepMs) {
    return Duration.ofMillis(stepMs / 2 + ThreadLocalRandom.current().nextLong(stepMs / 2));
  }

  /** How long a connection that is lost waits for the next: as the server asks, or for half of a growing time at random. */
  static Duration untilNext(ProblemException problem, int failures) {
    Duration own = partOf(Math.min(1000L << Math.min(failures, 5), 30_000));
    long jitter = ThreadLocalRandom.current().nextLong(500);
    return problem == null ? own : problem.retryAfter().map(asked -> asked.plusMillis(jitter)).orElse(own);
  }

  boolean hasToken() {
    return token != null;
  }

  /** Whether a request that was refused so may be answered later. */
  static boolean isForAWhile(ProblemException problem) {
    return REFUSED.contains(problem.status()) || UNCERTAIN.contains(problem.status());
  }

  /** Sends a request once, and waits so long for the header fields of what then goes on. */
  HttpResponse<InputStream> open(HttpRequest request, Duration longest) throws IOException {
    CompletableFuture<HttpResponse<InputStream>> opening =
        sender.sendAsync(prepared(request, null), HttpResponse.BodyHandlers.ofInputStream());
    try {
      HttpResponse<InputStream> response = opening.get(longest.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() >= 400) {
        throw Problems.read(response.statusCode(), response.headers(), response.body());
      }
      return response;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      opening.cancel(true);
      throw new IOException("no answer", e);
    } catch (InterruptedException e) {
      opening.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private HttpRequest prepared(HttpRequest request, String key) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri());
    request.headers().map().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
    builder.method(request.method(), request.bodyPublisher().orElse(HttpRequest.BodyPublishers.noBody()));
    request.timeout().ifPresent(builder::timeout);
    if (key != null) {
      builder.setHeader("Idempotency-Key", key);
    }
    String last = consistency;
    if (last != null && request.headers().firstValue(CONSISTENCY).isEmpty()) {
      builder.setHeader(CONSISTENCY, last);
    }
    if (token != null) {
      builder.setHeader("Authorization", "Bearer " + token.get());
    }
    return builder.build();
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return sender.sendAsync(prepared(request, null), handler);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> promised) {
    return sender.sendAsync(prepared(request, null), handler, promised);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return sender.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return sender.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return sender.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return sender.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return sender.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return sender.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return sender.authenticator();
  }

  @Override
  public Version version() {
    return sender.version();
  }

  @Override
  public Optional<Executor> executor() {
    return sender.executor();
  }
}
