import { connect as connectPlain } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';
import type { Node } from './redis-address.ts';

const DISCONNECT_TIMEOUT_MS = 2_000;

/** Makes what connects a client to one of the nodes: to the next one with each attempt, beginning anywhere. */
export function connectorTo(nodes: readonly Node[], hasTls: boolean): NonNullable<RedisOptions['Connector']> {
  return class extends AbstractConnector {
    #next = Math.floor(Math.random() * nodes.length);

    constructor() {
      super(DISCONNECT_TIMEOUT_MS);
    }

    override async connect() {
      const node = { ...nodes[this.#next++ % nodes.length]! };
      this.connecting = true;
      this.stream = hasTls ? connectSecurely({ ...node, servername: node.host }) : connectPlain(node);
      this.stream.once('error', (error) => {
        this.firstError = error;
      });
      return this.stream;
    }
  };
}
