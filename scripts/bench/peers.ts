import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { CommandFailure } from '../../src/tools/command-failure.ts';
import { LoadConnection } from './connection.ts';
import { head } from './request-text.ts';
import type { Material, Scenario } from './scenario.ts';
import { productAt } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import type { ServerProcess } from './server-process.ts';
import { usageOfPort } from './usage-of-port.ts';

/** A server that somebody else has started, on the same rows. */
export interface Peer {
  readonly name: string;
  readonly url: URL;
}

/** How a peer is asked what a scenario asks for. In `path` and `body`, `{id}` is the id of a product. */
export interface PeerRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** 200 if left out. */
  readonly status?: number;
  /** A text that each answer has to contain, such as the name of a field. */
  readonly contains?: string;
}

/** By the name of the peer, then of the scenario. */
export type PeerRequests = Readonly<Record<string, Readonly<Record<string, PeerRequest>>>>;

/** Parses `name=url`. */
export function peerOf(text: string, others: readonly Peer[] = []): Peer[] {
  const [, name, address] = /^([^=]+)=(http:\/\/.+)$/.exec(text) ?? [];
  if (name === undefined || address === undefined || !URL.canParse(address))
    throw new InvalidArgumentError('It must be a name and an address, such as `other=http://127.0.0.1:4000`.');
  return [...others, { name, url: new URL(address) }];
}

/** Reads the file that says how peers are asked. Throws `CommandFailure` for what no scenario or peer has. */
export function peerRequestsIn(file: string, peers: readonly Peer[]): PeerRequests {
  const given = JSON.parse(readFileSync(file, 'utf8')) as PeerRequests;
  const known = new Set(scenarios.map(({ name }) => name));
  for (const [peer, requests] of Object.entries(given)) {
    if (!peers.some(({ name }) => name === peer)) throw new CommandFailure(`${file}: there is no --peer ${peer}=…`);
    for (const name of Object.keys(requests))
      if (!known.has(name)) throw new CommandFailure(`${file}: ${peer} has ${name}, which is no scenario.`);
  }
  return given;
}

/** A peer as the benchmark measures servers: its CPU and memory where it runs on this machine. */
export function peerProcess({ name, url }: Peer): ServerProcess {
  const port = Number(url.port || 80);
  const none = async (): Promise<never> => {
    throw new Error(`${name} is not started here.`);
  };
  const usage = async () => usageOfPort(port);
  return {
    name,
    port,
    host: url.hostname,
    startedInMs: Number.NaN,
    usage,
    ask: none,
    send: () => {},
    signal: () => {},
    stop: async () => {},
  };
}

/** What a load process needs of a request to a peer, which it gets as a message. */
export interface PeerOrder {
  readonly asked: PeerRequest;
  readonly url: string;
}

/** Requests to a peer, and what is good about its answers. */
export function askingBy(
  { method, path, headers = {}, body, status = 200, contains = '' }: PeerRequest,
  url: URL,
): Omit<Scenario, 'name'> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const base = url.pathname.replace(/\/$/, '');
  return {
    status,
    isGood: (answer) => answer.includes(contains),
    request(material: Material, i) {
      const named = (template: string): string => template.replaceAll('{id}', productAt(material, i).id);
      const sent = named(text);
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      if (sent !== '') fields.push(`Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(sent)}\r\n`);
      return head(method ?? (sent === '' ? 'GET' : 'POST'), base + named(path), fields.join('')) + sent;
    },
  };
}

/** Throws `CommandFailure` with the answer, if a peer answers a scenario otherwise than its file says. */
export async function checkPeer(peer: ServerProcess, scenario: Scenario, material: Material): Promise<void> {
  const connection = await LoadConnection.open(peer.port, peer.host);
  const { status, head: fields, body } = await connection.send(scenario.request(material, 0));
  connection.close();
  if (status === scenario.status && scenario.isGood?.(body) !== false) return;
  throw new CommandFailure(`${peer.name}, ${scenario.name}: ${fields}${body}`);
}
