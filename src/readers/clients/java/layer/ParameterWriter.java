package com.example.client;

import com.example.client.invoker.ApiClient;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Writes parameters as they are declared, where the generator would write lists and maps as Java prints them. */
public final class ParameterWriter {
  /** The maps whose members are in brackets. */
  private static final Set<String> DEEP = Set.of();
  /** Those that are one text. */
  private static final Set<String> PLAIN = Set.of();
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ParameterWriter() {}

  /** The members of a map as fields of a query. */
  public static String query(String name, Object value) {
    StringJoiner fields = new StringJoiner("&");
    JsonNode tree = MAPPER.valueToTree(value);
    tree.fieldNames().forEachRemaining(key -> {
      String field = ApiClient.urlEncode(DEEP.contains(name) ? name + "[" + key + "]" : key);
      Iterable<JsonNode> values = tree.get(key).isArray() ? tree.get(key) : Set.of(tree.get(key));
      values.forEach(one -> fields.add(field + "=" + ApiClient.urlEncode(one.asText())));
    });
    return fields.toString();
  }

  /** A value as the encoded text of one field: a map is JSON, unless it is declared as names and values. */
  public static String text(String name, Object value, String plain) {
    if (!(value instanceof Map)) {
      return ApiClient.urlEncode(plain);
    }
    JsonNode tree = MAPPER.valueToTree(value);
    StringJoiner parts = new StringJoiner(",");
    tree.fieldNames().forEachRemaining(
        key -> parts.add(ApiClient.urlEncode(key)).add(ApiClient.urlEncode(tree.get(key).asText())));
    return PLAIN.contains(name) ? parts.toString() : ApiClient.urlEncode(tree.toString());
  }

  /** A segment of a path. */
  public static String segment(Object value) {
    Collection<?> items = value instanceof Collection ? (Collection<?>) value : Set.of(value);
    return items.stream().map(one -> ApiClient.urlEncode(one.toString())).collect(Collectors.joining(","));
  }

  /** A header field. */
  public static String header(Object value) {
    Collection<?> items = value instanceof Collection ? (Collection<?>) value : Set.of(value);
    return items.stream().map(Object::toString).collect(Collectors.joining(","));
  }
}
