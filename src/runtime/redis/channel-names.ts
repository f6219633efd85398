import { createHash } from 'node:crypto';
import type { FollowedRows } from '../engine/events/peers.ts';

/** The channels of servers with one prefix. */
export interface ChannelNames {
  /** All servers hear it: who is there, and who could not publish. */
  readonly peers: string;
  /** The one channel of everything, of servers of the previous release. */
  readonly everything: string;
  /** Where changes of a resource are published: those that concern these tenants alone, or any. */
  changing(resource: string, tenants: readonly string[] | undefined): readonly string[];
  /** Which of them are about these rows. */
  telling(resource: string, rows: FollowedRows): readonly string[];
}

/** What concerns any tenant; what concerns single ones, once more, for those who see all. */
const ANY = '-';
const EACH = '*';

/** Longer names are hashed. */
const MAX_LENGTH = 100;

/**
 * `prefix:peers`, `prefix:news`, and for each resource `prefix:-:RESOURCE`, `prefix:*:RESOURCE` and
 * `prefix:=TENANT:RESOURCE`. Who follows rows hears each of their changes on exactly one of its channels.
 */
export function channelNames(prefix: string, { hasOperators = true } = {}): ChannelNames {
  const of = (resource: string, whose: string): string => `${prefix}:${whose}:${resource}`;
  return {
    peers: `${prefix}:peers`,
    everything: `${prefix}:news`,
    changing(resource, tenants) {
      if (!tenants) return [of(resource, ANY)];
      const names = tenants.map((tenant) => of(resource, nameOf(tenant)));
      return hasOperators ? [...names, of(resource, EACH)] : names;
    },
    telling(resource, rows) {
      const any = of(resource, ANY);
      if (rows?.kind === 'tenant') return [of(resource, nameOf(rows.tenant)), any];
      return rows?.kind === 'all' ? [of(resource, EACH), any] : [any];
    },
  };
}

function nameOf(tenant: string): string {
  const encoded = encodeURIComponent(tenant.toWellFormed());
  return encoded.length <= MAX_LENGTH ? `=${encoded}` : `#${createHash('sha256').update(tenant).digest('base64url')}`;
}
