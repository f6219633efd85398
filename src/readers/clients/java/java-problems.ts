import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { commentLine, pascalCode } from '../common/names.ts';

/** `Problems.java`: a class for each code of the contract, and the way from an answer to its exception. */
export const javaProblems = (root: string, errors: readonly ErrorDescriptor[]): string => `package ${root};

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;

/** What the API refuses: a class for each code of the contract. */
public final class Problems {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Problems() {}

  /** The exception of an answer, of its code's own class. */
  static ProblemException read(int status, HttpHeaders headers, InputStream stream) throws IOException {
    JsonNode body = tree(stream.readAllBytes());
    switch (ProblemException.codeOf(status, body)) {
${errors.map(({ code }) => `      case "${code}":\n        return new ${pascalCode(code)}(status, headers, body);\n`).join('')}      default:
        return new ProblemException(status, headers, body);
    }
  }

  private static JsonNode tree(byte[] json) {
    try {
      JsonNode body = MAPPER.readTree(json);
      JsonNode error = body.path("errors").path(0);
      // GraphQL's errors have the problem inside; the first is the one to report.
      if (!error.path("extensions").isObject()) {
        return body;
      }
      ObjectNode details = MAPPER.createObjectNode().put("detail", error.path("message").asText());
      details.setAll((ObjectNode) error.path("extensions"));
      return details;
    } catch (IOException e) {
      return JsonNodeFactory.instance.objectNode();
    }
  }
${errors.map(classOf).join('')}}
`;

/** A text that is one line of Javadoc. */
export const javadocLine = (text: string): string =>
  commentLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('@', '&#64;');

const classOf = ({ code, status, description }: ErrorDescriptor): string => `
  /** ${status}: ${javadocLine(description)} */
  public static final class ${pascalCode(code)} extends ProblemException {
    private static final long serialVersionUID = 1L;

    ${pascalCode(code)}(int status, HttpHeaders headers, JsonNode body) {
      super(status, headers, body);
    }
  }
`;
