package com.example.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A problem (RFC 9457) that the API answered with. Each code of the contract has a class in {@link Problems}; a code of a later
 * version has this one, and {@code HTTP_502}, say, is a proxy's answer.
 */
public class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String detail;
  private final String requestId;
  private final Duration retryAfter;
  private final transient List<FieldError> errors;

  protected ProblemException(int status, HttpHeaders headers, JsonNode body) {
    super(messageOf(status, body));
    this.status = status;
    code = codeOf(status, body);
    detail = body.path("detail").textValue();
    requestId = body.path("requestId").textValue();
    retryAfter = headers.firstValue("Retry-After").map(ProblemException::durationOf).orElse(null);
    errors = errorsOf(body);
  }

  /** What went wrong, for programs. */
  public String code() {
    return code;
  }

  /** The HTTP status code. */
  public int status() {
    return status;
  }

  /** What went wrong this time. */
  public Optional<String> detail() {
    return Optional.ofNullable(detail);
  }

  /** Finds the request in the server's log. */
  public Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  /** How long the server asks to wait. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** Every fault of the request, with its place. */
  public List<FieldError> errors() {
    return errors;
  }

  static String codeOf(int status, JsonNode body) {
    return body.path("code").asText("HTTP_" + status);
  }

  private static String messageOf(int status, JsonNode body) {
    List<FieldError> errors = errorsOf(body);
    String text = body.path("detail").asText(body.path("title").asText());
    return status + " " + codeOf(status, body) + ": " + (errors.isEmpty() ? text : errors.toString());
  }

  private static List<FieldError> errorsOf(JsonNode body) {
    List<FieldError> errors = new ArrayList<>();
    body.path("errors").forEach(one -> errors.add(new FieldError(one)));
    return List.copyOf(errors);
  }

  /** Seconds, or a date (RFC 9110, 10.2.3). */
  private static Duration durationOf(String value) {
    try {
      if (value.matches("\\d+")) {
        return Duration.ofSeconds(Long.parseLong(value));
      }
      Instant at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration left = Duration.between(Instant.now(), at);
      return left.isNegative() ? Duration.ZERO : left;
    } catch (NumberFormatException | DateTimeParseException e) {
      return null;
    }
  }
}
