package com.example.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The events of a subscription, as they come (GraphQL over server-sent events), without those that show an older version of a row
 * than one before them. It connects when the first is asked for, and again when the connection is lost, with a token as of then.
 * {@link #close} ends it, from any thread. What the API refuses is a {@link ProblemException}, a loss an {@link UncheckedIOException}.
 */
public final class Events<T> implements Iterable<T>, AutoCloseable {
  private final RetryingClient client;
  private final HttpRequest request;
  private final Function<JsonNode, T> read;
  private final LastVersions versions = new LastVersions();

  private Runnable onConnected = () -> {};
  private Runnable onMissed;
  private int maxRetries = 10;
  private Duration idle = Duration.ofSeconds(30);

  private volatile boolean isClosed;
  private volatile InputStream stream;
  private BufferedReader lines;
  private HttpHeaders headers;
  private int retries;
  /** What the caller is to learn, outside of what is tried again. */
  private final Queue<Runnable> due = new ArrayDeque<>();

  /** {@code read} makes an event of the data of an answer. */
  Events(RetryingClient client, HttpRequest request, Function<JsonNode, T> read) {
    this.client = client;
    this.request = request;
    this.read = read;
  }

  /**
   * Runs when events may have been missed, the connection having been lost for one: what they would have shown must be read again.
   * Without it, the subscription ends with an exception then.
   */
  public Events<T> onMissed(Runnable missed) {
    onMissed = missed;
    return this;
  }

  /** Runs once the server is listened to, and again after each reconnection. */
  public Events<T> onConnected(Runnable connected) {
    onConnected = connected;
    return this;
  }

  /** How often a lost connection is tried again before it ends with an exception, given {@link #onMissed}; 10 by default. */
  public Events<T> maxRetries(int most) {
    maxRetries = most;
    return this;
  }

  /** The silence after which a connection is taken for lost: the server sends a sign of life every 12 seconds. 30 seconds by default. */
  public Events<T> idle(Duration longest) {
    idle = longest;
    return this;
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private T event;

      @Override
      public boolean hasNext() {
        if (event == null) {
          event = take();
        }
        return event != null;
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        T taken = event;
        event = null;
        return taken;
      }
    };
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    end(stream);
    notifyAll();
  }

  /** Null when the subscription is closed, or complete. */
  private T take() {
    while (!isClosed) {
      for (Runnable one = due.poll(); one != null; one = due.poll()) {
        one.run();
      }
      try {
        if (lines == null) {
          connect();
          continue;
        }
        String message = message();
        isClosed = isClosed || message == null;
        JsonNode data = message == null ? null : dataOf(GraphqlConnection.MAPPER.readTree(message));
        retries = 0;
        if (data != null && !versions.isOlder(data.elements().hasNext() ? data.elements().next() : data)) {
          return read.apply(data);
        }
      } catch (IOException lost) {
        retry(new UncheckedIOException("The connection was lost: " + lost.getMessage(), lost), null);
      } catch (ProblemException refused) {
        retry(refused, refused);
      }
    }
    drop();
    return null;
  }

  private void connect() throws IOException {
    HttpResponse<InputStream> response = client.open(request, idle);
    HttpHeaders answered = response.headers();
    stream = response.body();
    if (!answered.firstValue("Content-Type").orElse("").startsWith("text/event-stream")) {
      // What is refused before it is subscribed to is answered as a query is.
      GraphqlConnection.dataOf(GraphqlConnection.MAPPER.readTree(stream), answered);
      throw new IOException("the answer is not a stream of events");
    }
    lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    due.add(onConnected);
    if (headers != null) {
      due.add(onMissed);
    }
    headers = answered;
  }

  /** Null where events are missing, and the subscription goes on. */
  private JsonNode dataOf(JsonNode answer) throws IOException {
    String code = answer.path("errors").path(0).path("extensions").path("code").asText();
    if (code.equals("EVENTS_MISSED") && onMissed != null) {
      due.add(onMissed);
      return null;
    }
    return GraphqlConnection.dataOf(answer, headers);
  }

  /** Waits before the next attempt, if there may be one. */
  private void retry(RuntimeException failure, ProblemException problem) {
    // What has no token, or a wrong one, is refused before the server listens: this one has expired.
    boolean isExpired = problem != null && problem.status() == 401 && lines != null && client.hasToken();
    drop();
    if (isClosed) {
      return;
    }
    boolean isLoss = problem == null || isExpired || RetryingClient.isForAWhile(problem);
    if (!isLoss || onMissed == null || retries >= maxRetries) {
      isClosed = true;
      throw failure;
    }
    pause(RetryingClient.untilNext(problem, retries++));
  }

  private synchronized void pause(Duration wait) {
    try {
      if (!isClosed) {
        wait(wait.toMillis() + 1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      isClosed = true;
    }
  }

  /** The data of the next message; null when the server completes. */
  private String message() throws IOException {
    StringBuilder data = new StringBuilder();
    String event = "";
    while (true) {
      String line = line();
      if (line.startsWith("event:")) {
        event = line.substring(6).trim();
      } else if (line.startsWith("data:")) {
        data.append(line.substring(5)).append('\n');
      } else if (line.startsWith(":")) {
        retries = 0;
      } else if (line.isEmpty() && event.equals("complete")) {
        return null;
      } else if (line.isEmpty() && data.length() > 0) {
        return data.toString();
      }
    }
  }

  private String line() throws IOException {
    InputStream open = stream;
    CompletableFuture<String> silence = new CompletableFuture<String>().orTimeout(idle.toMillis(), TimeUnit.MILLISECONDS);
    silence.whenComplete((line, late) -> end(late == null ? null : open));
    try {
      String line = lines.readLine();
      if (line == null) {
        throw new EOFException("the server has ended it");
      }
      return line;
    } finally {
      silence.complete(null);
    }
  }

  private void drop() {
    end(stream);
    stream = null;
    lines = null;
  }

  private static void end(InputStream stream) {
    try {
      if (stream != null) {
        stream.close();
      }
    } catch (IOException e) {
      // It has ended.
    }
  }
}
