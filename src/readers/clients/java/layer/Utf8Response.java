package com.example.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** An answer whose JSON any charset reads: the generated code takes the platform's, which is not always UTF-8 before Java 18. */
final class Utf8Response<T> implements HttpResponse<T> {
  private final HttpResponse<T> response;
  private final T body;

  private Utf8Response(HttpResponse<T> response, T body) {
    this.response = response;
    this.body = body;
  }

  static <T> HttpResponse<T> of(HttpResponse<T> response) throws IOException {
    if (Charset.defaultCharset().equals(StandardCharsets.UTF_8) || !(response.body() instanceof InputStream)) {
      return response;
    }
    @SuppressWarnings("unchecked")
    T body = (T) escaped((InputStream) response.body());
    return new Utf8Response<>(response, body);
  }

  /** JSON has characters beyond ASCII in its texts alone, where each may be an escape (RFC 8259, 7). */
  private static InputStream escaped(InputStream stream) throws IOException {
    StringBuilder json = new StringBuilder();
    for (char one : new String(stream.readAllBytes(), StandardCharsets.UTF_8).toCharArray()) {
      json.append(one < 128 ? String.valueOf(one) : String.format("\\u%04x", (int) one));
    }
    return new ByteArrayInputStream(json.toString().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public T body() {
    return body;
  }

  @Override
  public int statusCode() {
    return response.statusCode();
  }

  @Override
  public HttpRequest request() {
    return response.request();
  }

  @Override
  public Optional<HttpResponse<T>> previousResponse() {
    return response.previousResponse();
  }

  @Override
  public HttpHeaders headers() {
    return response.headers();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return response.sslSession();
  }

  @Override
  public URI uri() {
    return response.uri();
  }

  @Override
  public HttpClient.Version version() {
    return response.version();
  }
}
