package com.example.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last version of each row that the events of a subscription show. One server sends the events of a row in the order of its
 * versions; where several write, an older event may come after a newer one.
 */
final class LastVersions {
  /** How many rows are remembered: those of the latest events. */
  private static final int MOST = 10_000;

  private final Map<String, Long> versions = new LinkedHashMap<>();

  /** Whether an event, the value of its field, is older than one before it; if not, it is remembered. */
  boolean isOlder(JsonNode event) {
    JsonNode version = event.path("version");
    if (!event.has("id") || !event.has("createdAt") || !version.isNumber()) {
      return false;
    }
    // What is created again with the same id is another row, whose versions begin anew.
    String row = event.get("createdAt").asText() + " " + event.get("id").asText();
    if (version.asLong() < versions.getOrDefault(row, 0L)) {
      return true;
    }
    versions.remove(row);
    versions.put(row, version.asLong());
    if (versions.size() > MOST) {
      versions.remove(versions.keySet().iterator().next());
    }
    return false;
  }
}
