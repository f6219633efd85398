import type { ClientDocument } from '../../../compiler/emit/clients/index.ts';
import { errorClassOf } from '../../../compiler/emit/sdk/index.ts';
import { snakeCase, upperFirst } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { ClientInput, GraphqlInput } from '../common/client-language.ts';
import { RETRIES } from '../common/client-language.ts';
import type { PythonNames } from './python-names.ts';
import { callsOf, type PythonCall, type PythonMembers } from './python-resources.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function pythonReadme(
  { title, baseUrl, example, errors, graphql }: ClientInput,
  { distribution, module }: PythonNames,
  members: PythonMembers,
): string {
  return `# ${distribution}

Client of ${title} for Python 3.11 or newer, generated from its contract, with types for mypy and pyright.

    python3 -m venv .venv && .venv/bin/pip install .

${example ? firstExample(example, callsOf(members), baseUrl, module) : ''}
## Calls

\`connect(url, token)\` of \`${module}.connection\` gives a client, \`connect_async(url, token)\` the same for \`async\`. Each resource is
a member, with the actions that it has, and below it what belongs to it; an operation beside them is a method. Ids come in the order of
the path. Bodies and answers are classes of \`${module}.models\`. What is not given is not sent; \`None\` clears.

- **Tokens**: \`token()\` is asked before each request.
- **Lists**: \`for row in client.….list(…)\` goes through all pages as they are needed; \`pages()\` goes page by page, and \`page(cursor)\`
  asks for one. Filters and \`sort\` are arguments.
- **Changes**: \`update\`, \`replace\` and \`delete\` take an id, or the row that was read: then they fail if somebody was faster
  (\`If-Match\`; with an id, \`if_version\` asks for that). \`change(id, patch_of)\` reads, and updates with the patch that
  \`patch_of(row)\` makes, and does both again where somebody was faster; \`None\` leaves the row as it is.
- **Errors**: \`${module}.problems\` has a class for each code of the contract, ${errors
    .slice(0, 3)
    .map(({ code }) => `\`${errorClassOf(code)}\``)
    .join(', ')}, …; all are \`ApiError\`s, with \`code\`, \`status\`, \`detail\`, \`errors\`
  (each fault of the request with its place), \`request_id\` and \`retry_after\`.
${RETRIES}
- **Answers as they came**: each operation is a module of \`${module}.api\`, too. \`sync_detailed(…, client=client)\` gives the status, the
  header fields, the model and its \`etag\`, which as \`if_none_match\` of a read saves the answer while nothing has changed (\`status_code\` is
  304); \`asyncio_detailed\` does so for \`async\`.
- **Newer servers**: values that an enum does not know and properties that a model does not know are kept, not refused.
${graphql ? overGraphql(graphql, baseUrl, module, example?.needsToken ?? false) : ''}`;
}

function overGraphql({ exampleQuery }: GraphqlInput, baseUrl: string, module: string, needsToken: boolean): string {
  return `
## GraphQL

\`${module}.graphql\` has a client with an asynchronous method for each query, mutation and subscription, which asks for every property,
and for those of your own documents (\`--documents\`). Arguments and answers are pydantic's models: what is not given is not sent,
\`None\` clears. Decimals, 64-bit integers and times have Python's own types.
${exampleQuery ? graphqlExample(exampleQuery, baseUrl, module, needsToken) : ''}
Errors are those of \`${module}.problems\`; a fault of the request says its \`argument\`. Where several fields failed, or one did beside others,
\`${module}.graphql.base_client.GraphqlErrors\` has the \`errors\` and the \`data\`. Queries, and mutations that create, are sent again as
above; \`headers={"Idempotency-Key": …}\` gives a key.

\`async for event in client.on_…(…, on_missed=read_again)\` hears of events, over HTTP. When the connection is lost, it connects again, with
growing random waits or as \`Retry-After\` says, and a new token; then \`on_missed\` runs, since events may have been missed: read what they
would have shown. Without it, the subscription ends with an exception then. What the server refuses is one of \`${module}.problems\`.
`;
}

function graphqlExample({ name, field }: ClientDocument, baseUrl: string, module: string, needsToken: boolean): string {
  const page = `${name}${upperFirst(field)}`;
  return `
\`\`\`python
import asyncio
${needsToken ? 'import os\n' : ''}
from ${module}.graphql import Client, ${page}
from ${module}.pages import nodes


async def main() -> None:
    async with Client("${baseUrl}"${needsToken ? ', lambda: os.environ["TOKEN"]' : ''}) as client:

        async def page(after: str | None) -> ${page}:
            return (await client.${snakeCase(name)}(first=10, after=after)).${snakeCase(field)}

        async for row in nodes(page):
            print(row)


asyncio.run(main())
\`\`\`
`;
}

function firstExample(
  { operationId, needsToken }: NonNullable<ClientInput['example']>,
  calls: ReadonlyMap<string, PythonCall>,
  baseUrl: string,
  module: string,
): string {
  return `\`\`\`python
${needsToken ? 'import os\n\n' : ''}from ${module}.connection import connect

client = connect("${baseUrl}"${needsToken ? ', lambda: os.environ["TOKEN"]' : ''})
for row in ${lookUp(calls, operationId).expression}(limit=10):
    print(row)
\`\`\`
`;
}
