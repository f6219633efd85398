import type { ClientDocument } from '../../compiler/emit/clients/client-graphql.ts';
import { errorClassOf } from '../../compiler/emit/sdk/sdk-errors.ts';
import { snakeCase, upperFirst } from '../../compiler/model/naming.ts';
import type { ClientInput, GraphqlInput } from '../common/client-language.ts';
import { RETRIES } from '../common/client-language.ts';
import type { PythonNames } from './python-names.ts';

/** `README.md` of the client: the first example runs as it stands. */
export function pythonReadme(
  { title, baseUrl, example, errors, graphql }: ClientInput,
  { distribution, module }: PythonNames,
): string {
  return `# ${distribution}

Client of ${title} for Python 3.11 or newer, generated from its contract, with types for mypy and pyright.

    python3 -m venv .venv && .venv/bin/pip install .

${example ? firstExample(example, baseUrl, module) : ''}
## Calls

Each operation is a module of \`${module}.api\`: \`sync\` answers with a model, \`sync_detailed\` with the status, the header fields
and the model, \`asyncio\` and \`asyncio_detailed\` do the same for \`async\`. Bodies and answers are classes of \`${module}.models\`.
What is not given is not sent; \`None\` clears.

- **Tokens**: \`connect(url, token)\` asks \`token()\` before each request.
- **Lists**: \`rows(list_….sync, …)\` of \`${module}.pages\` goes through all pages as they are needed, \`arows\` does so for \`async\`.
- **Errors**: \`${module}.problems\` has a class for each code of the contract, ${errors
    .slice(0, 3)
    .map(({ code }) => `\`${errorClassOf(code)}\``)
    .join(', ')}, …; all are \`ApiError\`s, with \`code\`, \`status\`, \`detail\`, \`errors\`
  (each fault of the request with its place), \`request_id\` and \`retry_after\`.
${RETRIES}
- **Entity tags**: \`sync_detailed(…).etag\` of what was read, as \`if_match\` of a change, makes the change fail if somebody was
  faster; as \`if_none_match\` of a read, it saves the answer while nothing has changed (\`status_code\` is 304).
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
above; \`headers={"Idempotency-Key": …}\` gives a key. \`async for event in client.on_…(…)\` hears of events over a WebSocket until it is
closed, which is an exception of \`websockets\`: subscribe again, with a new token, and read what may have changed.
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
  { operationId, tag, needsToken }: NonNullable<ClientInput['example']>,
  baseUrl: string,
  module: string,
): string {
  const name = snakeCase(operationId);
  const group = snakeCase(tag ?? 'default');
  return `\`\`\`python
${needsToken ? 'import os\n\n' : ''}from ${module}.api.${group} import ${name}
from ${module}.connection import connect
from ${module}.pages import rows

client = connect("${baseUrl}"${needsToken ? ', lambda: os.environ["TOKEN"]' : ''})
for row in rows(${name}.sync, client=client, limit=10):
    print(row)
\`\`\`
`;
}
