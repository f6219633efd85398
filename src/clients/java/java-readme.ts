import type { ClientDocument } from '../../compiler/emit/clients/client-graphql.ts';
import { camelCase, lowerFirst, upperFirst } from '../../compiler/model/naming.ts';
import type { ClientInput, GraphqlInput } from '../common/client-language.ts';
import { RETRIES } from '../common/client-language.ts';
import { pascalCode } from '../common/names.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function javaReadme({ title, baseUrl, example, errors, name, graphql }: ClientInput, root: string): string {
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
${RETRIES}
- **Entity tags**: \`Connection.etag(…WithHttpInfo(…))\` of what was read, as \`ifMatch\` of a change, makes the change fail if somebody
  was faster; as \`ifNoneMatch\` of a read, it is answered with a \`NotModifiedException\` while nothing has changed.
- **Newer servers**: a value that an enum does not know is \`UNKNOWN_DEFAULT_OPEN_API\`; properties that a model does not know are
  ignored.
${graphql ? overGraphql(graphql, baseUrl, root, example?.needsToken ?? false) : ''}`;
}

function overGraphql({ exampleQuery }: GraphqlInput, baseUrl: string, root: string, needsToken: boolean): string {
  return `
## GraphQL

\`Graphql\` has a method for each query and mutation, which asks for every property; an argument that is \`null\` is not given. Inputs
and answers are classes of \`${root}.graphql.types\`: in an input, what is not set is not sent, and what is set to \`null\` clears. Decimals and
64-bit integers are \`BigDecimal\` and \`BigInteger\`; a value that an enum does not know is \`null\`.
${exampleQuery ? graphqlExample(exampleQuery, baseUrl, root, needsToken) : ''}
\`run\` sends a document of your own, and \`read\` makes an object of a part of its answer. Errors are those of \`Problems\`; a fault of the
request says its \`argument\`, and where several fields failed, the exception has the others as \`getSuppressed()\`. Queries, and
mutations that create, are sent again as above. Subscriptions are left out.
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
