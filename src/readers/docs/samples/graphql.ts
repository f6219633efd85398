import { curlSample } from './curl.ts';
import type { GraphqlOperation } from './graphql-operations.ts';
import { pythonSample } from './python.ts';
import type { Sample } from './sample.ts';
import type { CodeSample } from './samples.ts';
import { literal } from './typescript.ts';

type Example = Pick<GraphqlOperation, 'kind' | 'document' | 'variables'>;

/** Requests that send a document, or that follow a subscription. `endpoint`: the URL of GraphQL. */
export function graphqlSamples(endpoint: string, example: Example, needsToken: boolean): readonly CodeSample[] {
  const isStream = example.kind === 'subscription';
  const sample = requestOf(endpoint, example, needsToken);
  return [
    { lang: 'sh', label: 'curl', source: graphqlCurl(endpoint, example, needsToken) },
    {
      lang: 'ts',
      label: 'TypeScript',
      source: isStream ? overSocket(endpoint, example, needsToken) : overFetch(sample, example),
    },
    { lang: 'python', label: 'Python', source: inLines(isStream ? lineByLine(sample) : pythonSample(sample), example) },
  ];
}

/** A request in a shell. `headers`: fields that it has besides. */
export function graphqlCurl(
  endpoint: string,
  example: Example,
  needsToken: boolean,
  headers: Sample['headers'] = [],
): string {
  const sample = requestOf(endpoint, example, needsToken);
  const curl = curlSample({ ...sample, headers: [...sample.headers, ...headers] });
  return example.kind === 'subscription' ? curl.replace(/^curl/, 'curl -N') : curl;
}

/** A document on one line. */
const queryOf = (document: string): string => document.replace(/\s+/g, ' ');

function requestOf(endpoint: string, { kind, document, variables }: Example, needsToken: boolean): Sample {
  const value = { query: queryOf(document), ...(Object.keys(variables).length > 0 && { variables }) };
  const type = 'application/json';
  return {
    method: 'POST',
    url: endpoint,
    headers: [['Content-Type', type], ...(kind === 'subscription' ? [['Accept', 'text/event-stream'] as const] : [])],
    needsToken,
    body: { type, value, text: JSON.stringify(value, undefined, 2) },
  };
}

/** The token of the environment, as a program writes it. */
const BEARER = `\`Bearer \${process.env.TOKEN}\``;

function overFetch({ url, needsToken }: Sample, { document, variables }: Example): string {
  const token = needsToken ? `, authorization: ${BEARER}` : '';
  const given =
    Object.keys(variables).length === 0 ? '' : `, variables: ${literal(variables).replaceAll('\n', '\n  ')}`;
  return `const query = ${template(document)};
const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json'${token} },
  body: JSON.stringify({ query${given} }),
});
const { data, errors } = await response.json();
console.log(errors ?? data);
`;
}

const template = (text: string): string => `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;

/** With the document as it is read best, on lines of its own. */
const inLines = (program: string, { document }: Example): string =>
  program.replace(
    JSON.stringify(queryOf(document)),
    () => `"""${document.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')}"""`,
  );

/** A socket has no header fields that a browser could set: the token is what it begins with. */
function overSocket(endpoint: string, { document, variables }: Example, needsToken: boolean): string {
  const token = needsToken ? `\n  connectionParams: () => ({ authorization: ${BEARER} }),` : '';
  return `import { createClient } from 'graphql-ws';

const client = createClient({
  url: '${socketUrl(endpoint)}',${token}
});
const events = client.iterate({
  query: ${template(document)},
  variables: ${literal(variables).replaceAll('\n', '\n  ')},
});
for await (const { data } of events) console.log(data);
`;
}

/** The same without a library. */
export const socketProgram = (endpoint: string, { document, variables }: Example): string =>
  `const query = ${template(document)};
const variables = ${literal(variables)};

const socket = new WebSocket('${socketUrl(endpoint)}', 'graphql-transport-ws');
const send = (frame: object) => socket.send(JSON.stringify(frame));
socket.onopen = () => send({ type: 'connection_init', payload: { authorization: ${BEARER} } });
socket.onmessage = ({ data }) => {
  const { type, payload } = JSON.parse(data);
  if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query, variables } });
  if (type === 'ping') send({ type: 'pong' });
  if (type === 'next') console.log(payload.errors ?? payload.data);
  if (type === 'error') console.error(payload);
  if (type === 'complete' || type === 'error') socket.close(1000);
};
socket.onclose = ({ code, reason }) => console.log('closed', code, reason);
`;

/** The frames of a subscription with one event: `>` goes to the server, `<` comes from it. */
export function socketFrames({ document, variables, data }: Example & Pick<GraphqlOperation, 'data'>): string {
  const payload = { query: queryOf(document), variables };
  const frames: readonly (readonly [from: string, frame: object])[] = [
    ['>', { type: 'connection_init', payload: { authorization: 'Bearer …' } }],
    ['<', { type: 'connection_ack' }],
    ['>', { id: '1', type: 'subscribe', payload }],
    ['<', { id: '1', type: 'next', payload: { data } }],
    ['>', { id: '1', type: 'complete' }],
  ];
  return frames.map(([from, frame]) => `${from} ${JSON.stringify(frame)}`).join('\n');
}

const socketUrl = (endpoint: string): string => endpoint.replace(/^http/, 'ws');

/** The events of a stream (server-sent events), one after the other. */
const lineByLine = (sample: Sample): string =>
  pythonSample(sample).replace(
    /with urlopen[\s\S]*$/,
    `with urlopen(request) as response:
    for line in response:
        if line.startswith(b"data: "):
            print(line[6:].decode())
`,
  );
