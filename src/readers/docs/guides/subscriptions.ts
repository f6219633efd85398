import type { RootField } from '../../../compiler/emit/root-fields.ts';
import { packageNameOf } from '../../../compiler/emit/sdk/sdk-package.ts';
import { link } from '../layout/links.ts';
import { block, code, firstSentence, inline, items, lines, table } from '../layout/markdown.ts';
import type { Reference } from '../reference/reference.ts';
import { graphqlCurl, socketFrames, socketProgram } from '../samples/graphql.ts';
import type { Guide } from './guide.ts';
import type { Shown } from './shown.ts';

export const subscriptions: Guide = {
  name: 'subscriptions',
  title: 'Subscribing to changes',
  description: 'Follow what is created, changed and deleted, over WebSocket or server-sent events.',
  words: [
    'subscribe',
    'subscription',
    'subscriptions',
    'webhook',
    'webhooks',
    'events',
    'event',
    'realtime',
    'real time',
    'live',
    'push',
    'notification',
    'notify',
    'websocket',
    'socket',
    'connection_init',
    'sse',
    'server-sent events',
    'follow',
    'watch',
    'stream',
    'listen',
  ],
  text(shown, reference) {
    const events = reference.fieldsAlone.filter(({ kind }) => kind === 'subscription');
    const example = shownEvent(shown, reference) ?? events[0];
    if (!example) return undefined;
    const { endpoint, base } = reference.addresses;
    const operation = reference.example(example);
    const { document, variables } = operation;
    return lines(
      `Over a WebSocket at ${code(endpoint.replace(/^http/, 'ws'))} (the protocol ${code('graphql-transport-ws')}), or as server-sent events from ${code(endpoint)}. On a socket the token goes into the payload of ${code('connection_init')}: ${code('{"authorization": "Bearer …"}')}; a stream takes the header ${code('Authorization')}.`,
      [
        block('sh', graphqlCurl(endpoint, operation, true), 'curl'),
        block(
          'ts',
          `import { createClient } from '${packageNameOf(reference.model)}/bound';
import { ${example.field.name}Subscription, subscribe } from '${packageNameOf(reference.model)}/graphql';

const client = createClient({ baseUrl: '${base}', token: () => process.env.TOKEN });
const events = subscribe(client, ${example.field.name}Subscription, ${JSON.stringify(variables)}, {
  onMissed: () => console.log('Read again what is watched.'),
});
for await (const event of events) console.log(event);`,
          'TypeScript',
        ),
        shown.events(example, variables),
        block('graphql', document, 'GraphQL'),
      ].join('\n'),
      '## All events',
      table(
        ['Subscription', 'When'],
        events.map(({ field }) => [
          link(code(field.name), reference.places.field(field.name)),
          inline(firstSentence(field.description ?? '')),
        ]),
      ),
      '## What to know',
      items([
        'Each event is sent to callers that may read the row when it happens. A row that the caller may not read is no error: nothing comes.',
        'Delivery is at most once, and a loss is always said: `EVENTS_MISSED` stands where events are missing, and the subscription goes on. Read again then.',
        'Of one row an older event may come after a newer one: compare `version`. The clients leave out the older.',
        'There are no webhooks: a client that is connected is told.',
      ]),
      '## A socket without a library',
      `The frames of one subscription: ${code('>')} goes to the server, ${code('<')} comes from it.`,
      block('text', socketFrames(operation)),
      'As a program for Node from version 22 on, or a browser that has its token elsewhere:',
      block('ts', socketProgram(endpoint, operation), 'TypeScript'),
      FRAMES,
      '## Why a socket closes',
      table(
        ['Code', 'Because'],
        CLOSINGS.map(([closed, why]) => [code(closed), why]),
      ),
    );
  },
};

/** The changes of one row, of the resource that guides show first. */
function shownEvent(shown: Shown, reference: Reference): RootField | undefined {
  const takesId = (root: RootField | undefined): boolean => root?.field.args.some(({ name }) => name === 'id') === true;
  const resource =
    shown.resource(['get'], (one) => takesId(reference.fieldWith('updated', one))) ??
    shown.resource(['get'], (one) => reference.fieldWith('updated', one) !== undefined);
  return resource && reference.fieldWith('updated', resource);
}

const FRAMES = items([
  '`ping` is answered with `pong`; either side may send it.',
  'A subscription ends with `complete`, from whichever side. Several run on one socket, each under an `id` of its own.',
  'An invalid document is answered with `error`, whose payload is a list of errors; nothing more comes of its `id`.',
  'An invalid variable or argument comes as `next` with `errors`, then `complete`.',
  'A socket without a token is acknowledged. What needs one is refused then: `next` with `UNAUTHENTICATED`, then `complete`.',
]);

/** https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md, and what the server adds. */
const CLOSINGS: readonly (readonly [code: string, why: string])[] = [
  ['4400', 'A frame is not one of the protocol.'],
  ['4401', '`subscribe` came before `connection_ack`: wait for it.'],
  ['4403', 'The token is refused, or has expired: connect again with a new one.'],
  ['4406', 'The handshake lacks the subprotocol `graphql-transport-ws`.'],
  ['4408', '`connection_init` did not come in time.'],
  ['4409', 'The `id` belongs to a subscription that runs.'],
  ['4429', '`connection_init` came twice.'],
  ['1001', 'The server stops: connect again.'],
  ['1013', 'The caller has too many sockets or messages: wait, then connect again.'],
];
