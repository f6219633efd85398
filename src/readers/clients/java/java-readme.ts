import { type ClientDocument, resourcesIn } from '../../../compiler/emit/clients/index.ts';
import { camelCase, lowerFirst } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { ACTIONS } from '../../../descriptor/resource.ts';
import type { ClientInput, GraphqlInput } from '../common/client-language.ts';
import { RETRIES } from '../common/client-language.ts';
import { pascalCode } from '../common/names.ts';
import type { JavaCallNames } from './java-call-names.ts';
import type { UnsentCookies } from './java-cookies.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function javaReadme(
  input: ClientInput,
  names: JavaCallNames,
  root: string,
  unsent: readonly UnsentCookies[],
): string {
  const { title, baseUrl, example, errors, name, graphql } = input;
  return `# ${name}

Client of ${title} for Java 11 or newer, generated from its contract: \`${root}\`.

    mvn -q compile dependency:copy-dependencies -DincludeScope=compile

${firstExample(input, names, root)}
Save it as \`Example.java\`, and \`java -cp 'target/classes:target/dependency/*' Example.java\`.

## Calls

\`Client\` has a method for each resource, which has one for each of its actions; those of a resource that belongs to another are given its ids
first. Other operations are methods of \`Client\` itself. Bodies and answers are classes of \`${root}.model\`: what is not set is not sent; a
property that is set to \`null\` is cleared.
${resourceExample(input, names)}
- **Lists** are \`Iterable\`s of all entries; \`stream()\`, \`pages()\` and \`page(cursor)\` read them otherwise. Each page is asked for when it is
  needed, and \`query\` sets the filters, the order (\`sort\`) and the size of pages (\`limit\`).
- **Versions**: a change of what was read applies to the version that was read; if somebody was faster, it fails with
  \`Problems.PreconditionFailed\`. A change by id applies to any, unless it is given a version. \`change\` reads, changes, and tries again.
- **Tokens**: \`new Client(url, () -> token)\` asks before each attempt.
- **Errors**: \`Problems\` has a class for each code of the contract, ${errors
    .slice(0, 3)
    .map(({ code }) => `\`Problems.${pascalCode(code)}\``)
    .join(', ')}, …; all are \`ProblemException\`s, with \`code()\`,
  \`status()\`, \`detail()\`, \`errors()\` (each fault of the request with its place), \`requestId()\` and \`retryAfter()\`.
${RETRIES}
- **Everything else**: each tag has a class in \`${root}.api\`, which takes \`client.connection()\`, with a method for each operation;
  \`…WithHttpInfo\` answers with the status and the header fields as well. \`Connection.etag\` of it, as \`ifNoneMatch\` of a read, is answered with
  a \`NotModifiedException\` while nothing has changed.
- **Newer servers**: a value that an enum does not know is \`UNKNOWN_DEFAULT_OPEN_API\`; properties that a model does not know are
  ignored.
${cookies(unsent)}${graphql ? overGraphql(graphql, baseUrl, root, example?.needsToken ?? false) : ''}`;
}

function cookies(unsent: readonly UnsentCookies[]): string {
  if (unsent.length === 0) return '';
  const each = unsent.map(
    ({ operationId, names }) => `\`${operationId}\` (${names.map((one) => `\`${one}\``).join(', ')})`,
  );
  return `- **Cookies** are not sent; these operations would accept them: ${each.join(', ')}.\n`;
}

function overGraphql(
  { exampleQuery, documents }: GraphqlInput,
  baseUrl: string,
  root: string,
  needsToken: boolean,
): string {
  return `
## GraphQL

\`Graphql\` has a method for each query, mutation and subscription, which asks for every property; an argument that is \`null\` is not given. Inputs
and answers are classes of \`${root}.graphql.types\`: in an input, what is not set is not sent, and what is set to \`null\` clears. Decimals and
64-bit integers are \`BigDecimal\` and \`BigInteger\`; a value that an enum does not know is \`null\`.
${exampleQuery ? graphqlExample(exampleQuery, baseUrl, root, needsToken) : ''}
\`run\` sends a document of your own, and \`read\` makes an object of a part of its answer. Errors are those of \`Problems\`; a fault of the
request says its \`argument\`, and where several fields failed, the exception has the others as \`getSuppressed()\`. Queries, and
mutations that create, are sent again as above.
${subscriptionExample(documents)}`;
}

/** How events are followed, over server-sent events. */
function subscriptionExample(documents: readonly ClientDocument[]): string {
  const subscription = documents.find(({ kind }) => kind === 'subscription');
  if (!subscription) return '';
  const args = subscription.variables.map(() => 'null').join(', ');
  return `
    try (var events = graphql.${lowerFirst(subscription.name)}(${args}).onMissed(() -> readAgain())) {
      for (var event : events) System.out.println(event);
    }

Subscriptions go over HTTP (server-sent events). One that loses its connection connects again, with a new token and growing waits, or
as \`Retry-After\` says, and then runs \`onMissed\`: what happened meanwhile must be read. Without \`onMissed\` it ends with an
\`UncheckedIOException\` rather than miss events in silence; what the API refuses is an exception of \`Problems\`. \`close()\` ends it, from any
thread. An event that shows an older version of a row than one before it is left out.
`;
}

function graphqlExample(
  { name, variables, field }: ClientDocument,
  baseUrl: string,
  root: string,
  needsToken: boolean,
): string {
  const given: Record<string, string> = { first: '10', after: 'cursor' };
  const args = variables.map((one) => given[one.name] ?? 'null').join(', ');
  return `
\`\`\`java
import ${root}.*;

public class GraphqlExample {
  public static void main(String[] args) throws Exception {
    var graphql = new Graphql("${baseUrl}"${needsToken ? ', () -> System.getenv("TOKEN")' : ''});
    var ${field} =
        Pages.all(
            cursor -> graphql.${lowerFirst(name)}(${args}), page -> page.getNodes(), page -> Graphql.next(page.getPageInfo()));
    ${field}.forEach(System.out::println);
  }
}
\`\`\`
`;
}

function firstExample({ example, resources, baseUrl }: ClientInput, names: JavaCallNames, root: string): string {
  const list = resources
    .flatMap(resourcesIn)
    .find(({ actions }) => example && actions.list?.operationId === example.operationId);
  if (!example || !list) return '';
  const token = example.needsToken ? ', () -> System.getenv("TOKEN")' : '';
  return `\`\`\`java
import ${root}.*;

public class Example {
  public static void main(String[] args) throws Exception {
    var client = new Client("${baseUrl}"${token});
    for (var row : client.${lookUp(names.resources, list.key)}.list(query -> query.limit(10))) {
      System.out.println(row);
    }
  }
}
\`\`\`
`;
}

/** The calls of a resource that has all of them. */
function resourceExample({ resources }: ClientInput, { resources: expressions }: JavaCallNames): string {
  const own = resources.flatMap(({ resource }) => resource ?? []);
  const { key, name, schemas } = own.find(({ actions }) => ACTIONS.every((action) => actions[action])) ?? {};
  if (!key || !name || !schemas?.patch) return '';
  const calls = `client.${lookUp(expressions, key)}`;
  const one = lowerFirst(camelCase(name));
  const lines = [
    [`var ${one} = ${calls}.get(id);`],
    [`${calls}.create(input);`, 'with an Idempotency-Key of its own'],
    [`${calls}.update(${one}, patch);`, 'applies to the version that was read'],
    [`${calls}.update(id, patch);`, 'to any'],
    [`${calls}.change(id, current -> patchOf(current));`, 'reads again if somebody was faster'],
    [`${calls}.delete(${one});`],
  ];
  const width = Math.max(...lines.map(([call = '']) => call.length)) + 3;
  const text = lines.map(([call = '', words]) => `    ${words ? `${call.padEnd(width)}// ${words}` : call}\n`);
  return `\n${text.join('')}`;
}
