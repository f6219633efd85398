import { setImmediate } from 'node:timers/promises';
import { idOf } from '../../scale/support/sql-words.ts';
import type { Attack } from '../support/attack.ts';
import { contracts } from '../support/contracts.ts';
import { request } from '../support/requests.ts';
import { AttackSocket } from '../support/socket.ts';
import { type Outcome, outcomeOf } from '../support/tally.ts';
import type { Target } from '../support/target.ts';
import { Wire } from '../support/wire.ts';
import { subscribed } from './frames.ts';
import { filtered, WRONG_FILTERS } from './graphql-bodies.ts';

/** More requests than a server has under way at the same time. */
const UNDER_WAY = 1_500;
/** As many bodies as an address may send at the same time; together, all that bodies may come to. */
const BODIES = 64;
const BODY_BYTES = 2 ** 20;
const SOCKETS = 16;
/** While so many frames of a socket wait, nothing more is read from it. */
const FRAMES = 16;
const FRAME_BYTES = 250_000;
export const WRITES = 150;
/** Those before are read by others, or have been deleted. */
let nextBox = 100;
export const OTHERS = 20;
/** Fewer than half of what is left. */
const OTHER_BODIES = 10;

const READ = request('GET', contracts.storefront.read);
const DEAR = filtered(WRONG_FILTERS['4,090 unknown fields']!);

const statusesOf = async (replies: readonly Promise<{ readonly status: number }>[]): Promise<readonly number[]> =>
  (await Promise.all(replies)).map(({ status }) => status);

function close(...wires: readonly (Wire | AttackSocket)[]): void {
  for (const wire of wires) wire.close();
}

type Together = (send: () => Promise<void>) => Promise<void>;

/** `together`: has the server find all requests at once. */
export async function fillRequests(target: Target, together: Together = (send) => send()): Promise<Outcome> {
  const own = await Wire.severalOf(UNDER_WAY, target.port, target.address());
  const others = await Wire.severalOf(OTHERS, target.port, target.address());
  let sent: readonly Promise<readonly number[]>[] = [];
  await together(async () => {
    sent = [own, others].map((wires) => statusesOf(wires.map((wire) => wire.send(READ))));
    await setImmediate();
  });
  const [attack, beside] = await Promise.all(sent);
  close(...own, ...others);
  return outcomeOf(attack!, beside!);
}

/** All of it but the last byte. */
function bodyBegun(token: string): Buffer {
  const body = `{"note":"${'x'.repeat(BODY_BYTES - 20)}`;
  const fields = { 'Content-Type': 'application/json', 'Content-Length': String(BODY_BYTES) };
  return Buffer.concat([request('POST', '/v1/orders', { token, fields }), Buffer.from(body)]);
}

async function fillBodies(target: Target): Promise<Outcome> {
  const begun = bodyBegun(target.token('orders:write'));
  const answered: number[] = [];
  const begin = (wire: Wire, into: number[]): void => void wire.send(begun).then(({ status }) => into.push(status));
  const own = await Wire.severalOf(BODIES, target.port, target.address());
  for (const wire of own) begin(wire, answered);
  const reader = await Wire.open(target.port, target.address());
  // By then, the server has begun to read what was sent before.
  await reader.send(READ);
  const others = await Wire.severalOf(OTHER_BODIES, target.port, target.address());
  const beside = others.map((wire) => wire.send(begun));
  for (const wire of others) wire.write(`"}${' '.repeat(9)}`);
  const statuses = await statusesOf(beside);
  close(...own, reader, ...others);
  return outcomeOf(answered, statuses);
}

/** A message of about as many bytes as one may have, which takes long to refuse. */
const dearFrame = (i: number): string => subscribed(`${DEAR}${' '.repeat(FRAME_BYTES - DEAR.length)}`)(i);

async function fillFrames(target: Target): Promise<Outcome> {
  const open = (address: string) => AttackSocket.open(target.port, address);
  const address = target.address();
  const own = await Promise.all(Array.from({ length: SOCKETS }, () => open(address)));
  const other = await open(target.address());
  for (const socket of own)
    socket.sendTogether(() => {
      for (let i = 0; i < FRAMES; i++) socket.send(dearFrame(i));
    });
  other.send(dearFrame(0));
  const beside = await other.answered(1);
  const answers = await Promise.all(own.map((socket) => socket.answered(FRAMES)));
  const outcome = outcomeOf(answers.flat(), beside);
  close(...own, other);
  return outcome;
}

/** Deletions of small boxes, of one caller, and behind them one of another, whose path is told. */
export async function deleteInTurns(
  target: Target,
  together: Together = (send) => send(),
): Promise<Outcome & { readonly path: string }> {
  const own = await Wire.severalOf(WRITES, target.port, target.address());
  const other = await Wire.open(target.port, target.address());
  const [token, othersToken] = [target.token('archive:write'), target.token('archive:write')];
  const box = (n: number): string => `/v1/boxes/${idOf(2, n)}`;
  const first = nextBox;
  nextBox += WRITES + 1;
  const path = box(first + WRITES);
  let sent: readonly Promise<readonly number[]>[] = [];
  await together(async () => {
    sent = [
      statusesOf(own.map((wire, i) => wire.send(request('DELETE', box(first + i), { token })))),
      statusesOf([other.send(request('DELETE', path, { token: othersToken }))]),
    ];
    await setImmediate();
  });
  const [deleted, beside] = await Promise.all(sent);
  close(...own, other);
  return { ...outcomeOf(deleted!, beside!), path };
}

const attack = (variant: string, run: Attack['run'], more?: Partial<Attack>): Attack => ({
  row: 'o. places that one caller fills',
  variant,
  contract: 'storefront',
  databases: ['SQLite'],
  run,
  ...more,
});

export const places = {
  requests: attack('requests under way', fillRequests),
  bodies: attack('bytes of bodies', fillBodies),
  frames: attack('frames that wait', fillFrames),
  writes: attack('writes', deleteInTurns, { contract: 'archive', databases: ['Postgres'], isDestructive: true }),
} as const satisfies Readonly<Record<string, Attack>>;
