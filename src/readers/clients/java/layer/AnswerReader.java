package com.example.client;

import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import java.io.IOException;
import java.net.http.HttpResponse;

/** Reads answers as they are declared. */
public final class AnswerReader {
  private static final int UNFIT = Integer.MIN_VALUE;
  /** An enum's value that this version does not know weighs more than any number of properties. */
  private static final int UNKNOWN = -100_000;

  private AnswerReader() {}

  /** A text, which is JSON only where its media type says so. */
  public static String text(HttpResponse<?> response, String body, ObjectMapper mapper) throws IOException {
    String type = response.headers().firstValue("Content-Type").orElse("");
    return type.matches("(?i)[^;]*[/+]json\\b.*") ? mapper.readValue(body, String.class) : body;
  }

  /** A value of the variant that fits it best: it has what that requires, and of values and properties those that are known. */
  public static Object variant(JsonNode tree, ObjectCodec codec, DeserializationContext context, Class<?>... variants)
      throws IOException {
    Object best = null;
    int fit = UNFIT;
    for (Class<?> variant : variants) {
      int own = fitOf(tree, codec, context, variant);
      if (own <= fit) {
        continue;
      }
      try {
        best = codec.treeToValue(tree, variant);
        fit = own;
      } catch (IOException | RuntimeException e) {
        // Another one may fit.
      }
    }
    if (fit == UNFIT) {
      throw new IOException("No variant fits: " + tree);
    }
    return best;
  }

  private static int fitOf(JsonNode tree, ObjectCodec codec, DeserializationContext context, Class<?> variant) {
    if (variant == Object.class) {
      return UNKNOWN * 10;
    }
    if (variant == String.class) {
      return tree.isTextual() ? 0 : UNFIT;
    }
    if (variant == Boolean.class) {
      return tree.isBoolean() ? 0 : UNFIT;
    }
    if (variant == Integer.class || variant == Long.class) {
      return tree.isIntegralNumber() ? 1 : UNFIT;
    }
    if (Number.class.isAssignableFrom(variant)) {
      return tree.isNumber() ? 0 : UNFIT;
    }
    if (variant.isEnum()) {
      return isUnknown(tree, codec, variant) ? UNKNOWN : 2;
    }
    if (variant.getName().startsWith("java.")) {
      return tree.isTextual() ? 1 : UNFIT;
    }
    return variant.getSuperclass() == Object.class || tree.isObject() ? fitOfObject(tree, codec, context, variant) : 0;
  }

  private static int fitOfObject(JsonNode tree, ObjectCodec codec, DeserializationContext context, Class<?> variant) {
    if (!tree.isObject()) {
      return UNFIT;
    }
    int fit = 0;
    for (BeanPropertyDefinition property :
        context.getConfig().introspect(context.constructType(variant)).findProperties()) {
      boolean isThere = tree.has(property.getName());
      if (property.isRequired() && !isThere) {
        return UNFIT;
      }
      if (isThere) {
        Class<?> type = property.getRawPrimaryType();
        fit += type.isEnum() && isUnknown(tree.get(property.getName()), codec, type) ? UNKNOWN : 1;
      }
    }
    return fit;
  }

  private static boolean isUnknown(JsonNode tree, ObjectCodec codec, Class<?> type) {
    try {
      Enum<?> value = (Enum<?>) codec.treeToValue(tree, type);
      return value == null || value.name().startsWith("UNKNOWN_DEFAULT_OPEN_API");
    } catch (IOException | RuntimeException e) {
      return true;
    }
  }
}
