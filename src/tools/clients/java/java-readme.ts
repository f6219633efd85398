import { camelCase, lowerFirst, upperFirst } from '../../../compiler/model/naming.ts';
import type { ClientInput } from '../common/client-language.ts';
import { pascalCode } from '../common/names.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function javaReadme({ title, baseUrl, example, errors, name }: ClientInput, root: string): string {
  return `# ${name}

Client of ${title} for Java 11 or newer, generated from its contract: \`${root}\`.

    mvn -q compile dependency:copy-dependencies -DincludeScope=compile

${example ? firstExample(example, baseUrl, root) : ''}
Save it as \`Example.java\`, and \`java -cp 'target/classes:target/dependency/*' Example.java\`.

## Calls

Each tag has a class in \`${root}.api\`, which takes a \`Connection\`, and each operation is a method of it; \`…WithHttpInfo\` answers with the
status and the header fields as well. Lists take their filters from \`…Request.newBuilder()\`. Bodies and answers are classes of
\`${root}.model\`. What is not set is not sent; a property that is set to \`null\` is cleared.

- **Tokens**: \`new Connection(url, () -> token)\` asks before each attempt.
- **Lists**: \`Pages.all\` is a \`Stream\` of all pages, which are asked for as they are needed.
- **Errors**: \`Problems\` has a class for each code of the contract, ${errors
    .slice(0, 3)
    .map(({ code }) => `\`Problems.${pascalCode(code)}\``)
    .join(', ')}, …; all are \`ProblemException\`s, with \`code()\`,
  \`status()\`, \`detail()\`, \`errors()\` (each fault of the request with its place), \`requestId()\` and \`retryAfter()\`.
- **Retries**: what is refused for a while (408, 429), and what got no answer and can be repeated, is sent again, up to three
  times and as \`Retry-After\` says. A \`POST\` carries an \`Idempotency-Key\`, the same in each attempt.
- **Entity tags**: \`Connection.etag(…WithHttpInfo(…))\` of what was read, as \`ifMatch\` of a change, makes the change fail if somebody
  was faster; as \`ifNoneMatch\` of a read, it is answered with a \`NotModifiedException\` while nothing has changed.
- **Newer servers**: a value that an enum does not know is \`UNKNOWN_DEFAULT_OPEN_API\`; properties that a model does not know are
  ignored.
`;
}

function firstExample(
  { operationId, tag, type, needsToken }: NonNullable<ClientInput['example']>,
  baseUrl: string,
  root: string,
): string {
  const api = `${upperFirst(camelCase(tag ?? 'default'))}Api`;
  const method = lowerFirst(camelCase(operationId));
  const request = `API${upperFirst(method)}Request`;
  const token = needsToken ? ', () -> System.getenv("TOKEN")' : '';
  return `\`\`\`java
import ${root}.*;
import ${root}.api.*;

public class Example {
  public static void main(String[] args) throws Exception {
    var ${lowerFirst(api)} = new ${api}(new Connection("${baseUrl}"${token}));
    var request = ${api}.${request}.newBuilder().limit(10).build();
    ${lowerFirst(api)}.${method}(request).getData().forEach(${lowerFirst(type ?? 'row')} -> System.out.println(${lowerFirst(type ?? 'row')}));
  }
}
\`\`\`
`;
}
