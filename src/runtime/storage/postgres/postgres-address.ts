import { percentDecoded } from '../../../descriptor/json-pointer.ts';

/** Which hosts of a URL are taken (libpq's `target_session_attrs`). */
const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type SessionTarget = (typeof TARGETS)[number];

/** What a connection URI of PostgreSQL says (PostgreSQL, 34.1.1.2). */
export interface PostgresAddress {
  /** A URL for each host, in the order written. */
  readonly urls: readonly string[];
  readonly target: SessionTarget;
  /** Where the tables of Lockstep are, in front of the search path; undefined: in its first schema. */
  readonly schema: string | undefined;
  /** Hosts and database for display, without user and password. */
  readonly name: string;
}

const URI = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)\/([^/?#]*)(?:\?([^#]*))?$/;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/i;

/** The parameter of a URL for the schema with the tables of Lockstep, which no program but Lockstep knows. */
const SCHEMA = 'lockstep_schema';

/** The URL with a schema for the tables of Lockstep. */
export const withSchema = (url: string, schema: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${SCHEMA}=${schema}`;

interface Host {
  /** A name, an address, or the folder of a Unix-domain socket; empty for the default. */
  readonly name: string;
  readonly port: string;
}

/**
 * Reads a URI, which may name several hosts (`postgres://a:5432,b:5433/name?target_session_attrs=primary`) and folders of
 * Unix-domain sockets (`postgres:///name?host=/run/postgresql`). Of several hosts, one that accepts writes is taken by
 * default. Undefined when it is not such a URI, or names no host or no database.
 */
export function postgresAddress(uri: string): PostgresAddress | undefined {
  const [, userInfo, authority = '', database = '', query] = URI.exec(uri) ?? [];
  const parameters = new URLSearchParams(query);
  const hosts = hostsOf(authority, parameters);
  const target = parameters.get('target_session_attrs') ?? (hosts && hosts.length > 1 ? 'read-write' : 'any');
  if (!hosts || database === '' || !isTarget(target)) return undefined;
  const schema = parameters.get(SCHEMA) ?? undefined;
  for (const name of ['host', 'port', 'target_session_attrs', SCHEMA]) parameters.delete(name);
  const urls = hosts.map((host) => urlOf(host, userInfo, database, parameters));
  if (!urls.every((url) => url.includes('@/') || url.startsWith('postgres:///') || URL.canParse(url))) return undefined;
  return { urls, target, schema, name: `${hosts.map(textOf).join(',')}/${database}` };
}

/** The hosts of the authority, or those of the parameters `host` and `port`; undefined when one is not valid. */
function hostsOf(authority: string, parameters: URLSearchParams): readonly Host[] | undefined {
  const named = parameters.get('host');
  const ports = (parameters.get('port') ?? '').split(',');
  const parts = (named ?? authority).split(',');
  const hosts = parts.map((part, at): Host | undefined => {
    const [, name, port] = named === null ? (HOST.exec(part) ?? []) : ['', part];
    if (name === undefined || name === '') return undefined;
    const decoded = percentDecoded(name);
    return decoded === undefined ? undefined : { name: decoded, port: port ?? ports[at] ?? ports[0]! };
  });
  return hosts.every((host) => host !== undefined) ? hosts : undefined;
}

/** TLS is not spoken over a Unix-domain socket. */
function urlOf(
  { name, port }: Host,
  userInfo: string | undefined,
  database: string,
  parameters: URLSearchParams,
): string {
  const rest = new URLSearchParams(parameters);
  const isSocket = name.startsWith('/');
  if (isSocket) {
    rest.set('host', name);
    rest.set('port', port === '' ? '5432' : port);
    for (const ssl of ['sslmode', 'ssl']) rest.delete(ssl);
  }
  const place = isSocket ? '' : `${name}${port === '' ? '' : `:${port}`}`;
  const query = rest.size > 0 ? `?${rest}` : '';
  return `postgres://${userInfo === undefined ? '' : `${userInfo}@`}${place}/${database}${query}`;
}

const textOf = ({ name, port }: Host): string => (port === '' ? name : `${name}:${port}`);

function isTarget(text: string): text is SessionTarget {
  return (TARGETS as readonly string[]).includes(text);
}
