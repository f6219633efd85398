package com.example.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Writes bodies as they are declared. */
public final class BodyWriter {
  /** The fields whose members are in brackets. */
  private static final Set<String> DEEP = Set.of();

  private BodyWriter() {}

  /** A field, or the members of one. */
  public static Map<String, String> fields(String name, Object value, ObjectMapper mapper) {
    JsonNode tree = mapper.valueToTree(value);
    if (!tree.isObject() || !DEEP.contains(name)) {
      return Map.of(name, textOf(tree));
    }
    Map<String, String> members = new LinkedHashMap<>();
    tree.fieldNames().forEachRemaining(key -> members.put(name + "[" + key + "]", textOf(tree.get(key))));
    return members;
  }

  /** The text of a field or a part: JSON, if it is an object or a list. */
  public static String text(Object value, ObjectMapper mapper) {
    return textOf(mapper.valueToTree(value));
  }

  /** The media type of a part. */
  public static String typeOf(Object value, ObjectMapper mapper) {
    return mapper.valueToTree(value).isValueNode() ? "text/plain" : "application/json";
  }

  /** A body that is no form: a file and a text as they are, all else as JSON. */
  public static byte[] body(Object value, ObjectMapper mapper) throws IOException {
    if (value instanceof File) {
      return Files.readAllBytes(((File) value).toPath());
    }
    if (value instanceof String) {
      return ((String) value).getBytes(StandardCharsets.UTF_8);
    }
    return value instanceof byte[] ? (byte[]) value : mapper.writeValueAsBytes(value);
  }

  private static String textOf(JsonNode tree) {
    return tree.isValueNode() ? tree.asText() : tree.toString();
  }
}
