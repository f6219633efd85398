import { quoted, type Sample } from './sample.ts';

/** A program in Java 17 or newer, with its standard library; the token is in the environment. */
export function javaSample({ method, url, headers, needsToken, body }: Sample): string {
  const fields = [
    ...(needsToken ? ['.header("Authorization", "Bearer " + System.getenv("TOKEN"))'] : []),
    ...headers.map(([name, value]) => `.header(${quoted(name)}, ${quoted(value)})`),
    body
      ? `.method(${quoted(method)}, BodyPublishers.ofString(body))`
      : `.method(${quoted(method)}, BodyPublishers.noBody())`,
  ];
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

class Example {
    public static void main(String[] arguments) throws Exception {
${body ? `        var body = ${block(body.text)};\n` : ''}        var request = HttpRequest.newBuilder(URI.create(${quoted(url)}))
${fields.map((field) => `            ${field}\n`).join('')}            .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
`;
}

/** A text block (JLS 3.10.6). */
function block(text: string): string {
  const indent = ' '.repeat(12);
  const lines = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""').replaceAll('\r', '\\r').split('\n');
  return `"""\n${lines.map((line) => indent + line).join('\n')}"""`;
}
