import { serverUrl } from '../../../descriptor/base-path.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { ContractModel } from '../../model/model.ts';
import { lowerFirst } from '../../model/naming.ts';
import { errorClassOf } from './sdk-errors.ts';
import { packageNameOf } from './sdk-package.ts';
import { boundNames, sdkNames } from './sdk-resources.ts';

/** What someone who installs the package reads first; the examples are of its own contract. */
export function sdkReadme(model: ContractModel): string {
  const { document, resources, graphql, errors } = model;
  const name = packageNameOf(model);
  const url = serverUrl(document.servers?.[0]);
  const address = /^https?:/.test(url) ? url : `https://api.example.com${url}`;
  const example =
    resources.find(({ actions, parent }) => actions.list && !parent) ?? resources.find(({ actions }) => actions.list);
  const codes = Object.keys(errors);
  return `# ${name}

Client of ${document.info.title}, generated from its contract, for Node 20 or newer and for browsers.

    npm install ${name}

\`\`\`ts
import { createClient } from '${name}/bound';

const client = createClient({ baseUrl: '${address}', token: () => readToken() });
${example ? usage(example, model) : ''}\`\`\`

Every path of the API, without these conveniences: \`client.rest.GET('…')\` ([openapi-fetch](https://openapi-ts.dev/openapi-fetch/)).

## What it does by itself

- **Tokens.** \`token\` is asked before each request, so that a new one is used as soon as there is one.
- **Retries.** A request that is refused for a while (408, 429), or that got no answer, is sent again, up to three times with
  growing waits; \`Retry-After\` is honoured. What could then have its effect twice is not: a \`POST\` carries an
  \`Idempotency-Key\`, a change with a version is sent once.
- **Versions.** A change of a resource that was read applies to the version that was read; if somebody was faster, it fails with
  \`PreconditionFailedError\`. \`ifVersion: false\` changes whatever is there. \`change\` reads, changes, and tries again.
- **Lists** are asked for page by page, as they are read.

\`withResponse()\` on a call gives header fields as well: \`const { data, response } = await …get(id).withResponse()\`. With \`{ ifNoneMatch: etag }\` a
resource that has not changed is not sent again: \`notModified\`. A call takes \`signal\`, \`headers\`, \`timeoutMs\` and \`retry\`; the hooks
\`onRequest\`, \`onResponse\` and \`onRetry\` of the client see each attempt.

## In a browser

A bundler takes all of \`${name}/bound\`. Of \`${name}\` it takes what is used: its functions take the client
first${example ? `, \`${lookUp(sdkNames(model).resources, example.key)}.list(client)\`` : ''}. \`${name}/tanstack\` has options of TanStack Query for each resource.

## Errors

Each code of the contract has a class, the same over both protocols: ${codes
    .slice(0, 3)
    .map((code) => `\`${errorClassOf(code)}\``)
    .join(', ')}, … All are \`ApiError\`s:

| Property | |
|---|---|
| \`code\`, \`status\`, \`title\` | as in the contract |
| \`detail\` | what went wrong this time |
| \`errors\` | every fault of the request: \`pointer\`, \`parameter\` or \`header\`, and \`detail\` |
| \`requestId\` | finds the request in the server's log |
| \`retryable\` | the same request may succeed later |

A code that a later version of the API adds is an \`ApiError\`. No answer at all is a \`ConnectionError\`; an answer that is not the API's,
a proxy's for one, is an \`UnexpectedAnswerError\`.
${graphql ? graphqlPart(name, model) : ''}`;
}

function usage(resource: ResourceDescriptor, model: ContractModel): string {
  const { name, actions, list, parent } = resource;
  const one = lowerFirst(name);
  const member = lookUp(boundNames(model).resources, resource.key);
  const within = parent ? [`{ ${parent.property}: id }`] : [];
  const sort = list?.sorts[0];
  const query = sort ? [`{ sort: ['${sort.value}'] }`] : [];
  const target = parent ? `{ ${parent.property}: id, id }` : 'id';
  const lines = [
    `\nfor await (const ${one} of ${member}.list(${[...within, ...query].join(', ')})) console.log(${one}.id);`,
    actions.get && `const ${one} = await ${member}.get(${target});`,
    actions.create && `await ${member}.create(${[...within, '{ … }'].join(', ')});`,
    actions.update && `await ${member}.update(${one}, { … });          // applies to the version that was read`,
    actions.update && actions.get && `await ${member}.change(${target}, (current) => ({ … }));`,
    actions.delete && `await ${member}.delete(${target});`,
  ];
  return lines
    .filter(Boolean)
    .map((line) => `${line}\n`)
    .join('');
}

function graphqlPart(name: string, { graphql }: ContractModel): string {
  const fields = Object.entries(graphql!.descriptor.fields);
  const of = (kind: string) => fields.find(([, field]) => field.kind === kind)?.[0].split('.')[1];
  const query = of('list') ?? of('get');
  const event = of('created') ?? of('updated');
  const names = [query && `${query}Query`, event && `${event}Subscription`].filter(Boolean);
  return `
## GraphQL

\`\`\`ts
import { document, graphql, ${['subscribe', ...names].join(', ')} } from '${name}/graphql';

${query ? `const answer = await graphql(client, ${query}Query${of('list') ? ', { first: 10 }' : ', { id }'});\n` : ''}${
  event
    ? `for await (const event of subscribe(client, ${event}Subscription, {}, { signal, onMissed: readAgain })) console.log(event);\n`
    : ''
}const own = document<{ __typename: string }>('query { __typename }');
\`\`\`

There is a document for each field of the schema. Your own take their types from \`document\`, or from
[graphql-codegen](https://the-guild.dev/graphql/codegen) with \`documentMode: 'string'\`. A subscription connects again when it
loses its connection, and calls \`onMissed\`; without \`onMissed\` it ends with an error rather than miss events in silence. An event
that shows an older version of a row than one before it is left out, if the document asks for \`id\`, \`version\` and \`createdAt\`. Node has a
\`WebSocket\` of its own from version 22 on; before, give one: \`createClient({ webSocket: WebSocket })\`, of the package \`ws\`.
`;
}
