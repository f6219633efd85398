import type { Attack } from '../support/attack.ts';
import { JSON_FORMS } from '../support/json-forms.ts';
import { AttackSocket } from '../support/socket.ts';
import { outcomeOf } from '../support/tally.ts';
import { filtered, REQUESTS, WRONG_FILTERS } from './graphql-bodies.ts';

const SOCKETS = 3;
const REFUSED_FRAMES = 6_000;
/** The largest message that a socket takes, but for what is around the filter. */
const LARGEST = 262_144 - 200;
const FRAGMENT_BYTES = 16;

/** `i` tells operations apart. */
type FrameOf = (i: number) => string;

export const subscribed =
  (payload: string): FrameOf =>
  (i) =>
    `{"id":"${i}","type":"subscribe","payload":${payload}}`;

interface Frames {
  readonly count: number;
  readonly sockets?: number;
  /** How many of them are not answered; none if left out. */
  readonly unanswered?: number;
  readonly fragmentBytes?: number;
}

function attack(
  row: string,
  variant: string,
  frame: FrameOf,
  { count, sockets = SOCKETS, unanswered = 0, fragmentBytes }: Frames,
): Attack {
  return {
    row,
    variant,
    contract: 'storefront',
    databases: ['SQLite'],
    async run(target) {
      const address = target.address();
      const open = await Promise.all(Array.from({ length: sockets }, () => AttackSocket.open(target.port, address)));
      open.forEach((socket, n) => {
        socket.sendTogether(() => {
          for (let i = n; i < count; i += sockets) {
            if (fragmentBytes === undefined) socket.send(frame(i));
            else socket.sendFragmented(frame(i), fragmentBytes);
          }
        });
      });
      const answers = await Promise.all(
        open.map((socket) => socket.answered(Math.floor((count - unanswered) / sockets))),
      );
      for (const socket of open) socket.close();
      return outcomeOf(answers.flat());
    },
  };
}

/** As many as one socket may have open, less one. */
export const SUBSCRIPTIONS = 99;
/** So many long ones at most are kept; nothing is said of these. */
export const MOST_KEPT = 25;

/** A subscription that is kept with much text, and no two alike. */
const longSubscription: FrameOf = (i) => {
  const query = `subscription S${i} { productUpdated { ${'id name sku '.repeat(300)} } }${' '.repeat(11_000)}`;
  const a = Array.from({ length: 3_900 }, () => 'x'.repeat(12));
  return subscribed(JSON.stringify({ query, variables: { a } }))(i);
};

const DEAR = 'b. 300 operations over three sockets';
const REFUSED = 'i. 6,000 refused frames over three sockets';

export const dearFrames: readonly Attack[] = [
  ...Object.entries(WRONG_FILTERS).map(([variant, filter]) =>
    attack(DEAR, variant, subscribed(filtered(filter)), { count: REQUESTS }),
  ),
  attack(DEAR, 'unknown fields on one socket', subscribed(filtered(WRONG_FILTERS['4,090 unknown fields']!)), {
    count: REQUESTS,
    sockets: 1,
  }),
  attack(DEAR, 'unknown fields over 60 sockets', subscribed(filtered(WRONG_FILTERS['4,090 unknown fields']!)), {
    count: REQUESTS,
    sockets: 60,
  }),
  attack(DEAR, 'small objects, 256 KiB', subscribed(filtered(JSON_FORMS['small objects'](LARGEST))), {
    count: REQUESTS,
  }),
  attack(DEAR, 'unknown keys, 256 KiB', subscribed(filtered(JSON_FORMS['unknown keys'](LARGEST))), { count: REQUESTS }),
];

export const refusedFrames: readonly Attack[] = [
  attack(REFUSED, 'documents that are not GraphQL', subscribed('{"query":"{"}'), { count: REFUSED_FRAMES }),
  attack(REFUSED, 'without a document', subscribed('{}'), { count: REFUSED_FRAMES }),
  attack(REFUSED, '4,000 unknown fields', subscribed(filtered(WRONG_FILTERS['4,090 unknown fields']!)), {
    count: REFUSED_FRAMES / 4,
  }),
  attack(REFUSED, 'pings', () => '{"type":"ping","payload":{"a":1}}', { count: REFUSED_FRAMES }),
  attack(REFUSED, 'in fragments of 16 bytes', subscribed('{"query":"{"}'), {
    count: REFUSED_FRAMES,
    fragmentBytes: FRAGMENT_BYTES,
  }),
];

export const longSubscriptions: Attack = attack('q. 99 long subscriptions', 'that differ', longSubscription, {
  count: SUBSCRIPTIONS,
  sockets: 1,
  unanswered: MOST_KEPT,
});
