package com.example.client;

import com.fasterxml.jackson.databind.JsonNode;

/** One fault of a request; {@code pointer} (RFC 6901), {@code parameter}, {@code header} or GraphQL's {@code argument} is its place. */
public final class FieldError {
  public final String pointer;
  public final String parameter;
  public final String header;
  public final String argument;
  public final String code;
  public final String detail;

  FieldError(JsonNode body) {
    pointer = body.path("pointer").textValue();
    parameter = body.path("parameter").textValue();
    header = body.path("header").textValue();
    argument = body.path("argument").textValue();
    code = body.path("code").textValue();
    detail = body.path("detail").asText();
  }

  @Override
  public String toString() {
    String place = pointer != null ? pointer : parameter != null ? parameter : header != null ? header : argument;
    return place == null ? detail : place + ": " + detail;
  }
}
