/** A server of Redis, of a Sentinel, or of a cluster. */
export interface Node {
  readonly host: string;
  readonly port: number;
}

/** Login and password, as far as the address has them. */
interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/** Where a Redis is: one server, the master that Sentinels name, or a cluster that any of the nodes leads to. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'sentinel';
      readonly sentinels: readonly Node[];
      /** What the Sentinels call the master. */
      readonly master: string;
      readonly database: number;
      readonly credentials: Credentials;
      /** For the Sentinels themselves. */
      readonly sentinelCredentials: Credentials;
      readonly hasTls: boolean;
    }
  | {
      readonly kind: 'cluster';
      readonly nodes: readonly Node[];
      readonly credentials: Credentials;
      readonly hasTls: boolean;
    };

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;
const SEVERAL_HOSTS =
  /^redis(?<tls>s)?\+(?<kind>sentinel|cluster):\/\/(?:(?<login>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?:\[(?<v6>[\dA-Fa-f:.]+)\]|(?<name>[^:[\]\s]+))(?::(?<port>\d{1,5}))?$/;

/**
 * Reads `redis://host:6379/0`, `redis+sentinel://host1:26379,host2:26379/mymaster/0` or
 * `redis+cluster://host1:6379,host2:6379`; with `rediss` in the place of `redis`, over TLS. Undefined for any other address.
 */
export function redisAddress(text: string): RedisAddress | undefined {
  const groups = SEVERAL_HOSTS.exec(text)?.groups;
  if (!groups) return serverAddress(text);
  const { tls, kind, hosts = '', path = '', query = '' } = groups;
  const credentials = credentialsOf(groups['login'], groups['password']);
  const nodes = nodesIn(hosts, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT);
  if (!nodes || !credentials) return undefined;
  const hasTls = tls !== undefined;
  if (kind === 'cluster') return path || query ? undefined : { kind, nodes, credentials, hasTls };
  const place = /^(?<master>[^/]+)(?:\/(?<database>\d{1,4})?)?$/.exec(path)?.groups;
  if (!place) return undefined;
  const given = new URLSearchParams(query);
  const sentinelCredentials = named(given.get('sentinelUsername'), given.get('sentinelPassword'));
  const database = Number(place['database'] ?? 0);
  return {
    kind: 'sentinel',
    sentinels: nodes,
    master: place['master']!,
    database,
    credentials,
    sentinelCredentials,
    hasTls,
  };
}

function serverAddress(text: string): RedisAddress | undefined {
  const url = URL.parse(text);
  return url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' ? { kind: 'server', url: text } : undefined;
}

/** Undefined if one of them is not a host with a port or without one. */
function nodesIn(hosts: string, defaultPort: number): readonly Node[] | undefined {
  const nodes = hosts.split(',').map((host) => {
    const parts = HOST.exec(host)?.groups;
    return parts && { host: (parts['v6'] ?? parts['name'])!, port: Number(parts['port'] ?? defaultPort) };
  });
  return nodes.every((node) => node !== undefined && node.port > 0 && node.port < 65_536)
    ? (nodes as readonly Node[])
    : undefined;
}

/** Percent-encoded, as in any URL. Undefined if they cannot be decoded. */
function credentialsOf(login: string | undefined, password: string | undefined): Credentials | undefined {
  try {
    return named(decodeURIComponent(login ?? ''), decodeURIComponent(password ?? ''));
  } catch {
    return undefined;
  }
}

const named = (username: string | null, password: string | null): Credentials => ({
  ...(username && { username }),
  ...(password && { password }),
});
