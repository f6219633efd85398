import { isIP, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { type Layout, layoutNamed } from '../../../descriptor/layout.ts';
import { isTrustworthy } from '../../auth/issuer.ts';
import { MIN_SECRET_BYTES, publicKeys, secretKeys } from '../../auth/keys.ts';
import type { AllowedOrigins } from '../../http/cors.ts';
import { redisAddress } from '../../redis/redis-address.ts';
import type { DatabaseLocation } from '../../storage/database/database.ts';
import { postgresAddress } from '../../storage/postgres/postgres-address.ts';

/** The type of a setting: which texts it accepts, and what they mean. */
export interface SettingKind<T> {
  /** Completes "accepts …". */
  readonly accepts: string;
  /** Throws `RangeError` for text that is not accepted. Its message completes "accepts …" as well, but may be more precise. */
  read(text: string): T;
}

function kind<T>(accepts: string, parse: (text: string) => T | undefined): SettingKind<T> {
  return {
    accepts,
    read(text) {
      const value = parse(text);
      if (value === undefined) throw new RangeError(accepts);
      return value;
    },
  };
}

export function integer(minimum: number, maximum: number): SettingKind<number> {
  return kind(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  });
}

/** How many workers an instance has; `auto`: as many as there are cores. */
export const workers: SettingKind<number | 'auto'> = kind('a whole number from 1 to 128, or `auto`', (text) => {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return text === 'auto' ? text : value >= 1 && value <= 128 ? value : undefined;
});

/** How the tables of tenants are laid out. */
export const layout: SettingKind<Layout> = kind(
  '`plain`, `tenants`, `tenants/2` to `tenants/64`, `citus`',
  layoutNamed,
);

/** A fraction of a whole. */
export const share: SettingKind<number> = kind('a number from 0 to 1', (text) =>
  /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text) ? Number(text) : undefined,
);

export function oneOf<const V extends string>(...values: readonly V[]): SettingKind<V> {
  return kind(values.map((value) => `\`${value}\``).join(', '), (text) => values.find((value) => value === text));
}

export const boolean: SettingKind<boolean> = kind('`true`, `false`', (text) =>
  text === 'true' ? true : text === 'false' ? false : undefined,
);

export const text: SettingKind<string> = kind('any text', (value) => value);

/** An address or a host name to listen on, without a port. */
export const host: SettingKind<string> = kind('an IP address or a host name', (value) =>
  isIP(value) || /^[\w.-]+$/.test(value) ? value : undefined,
);

/** A path, made absolute. */
export const folder: SettingKind<string> = kind('the path of a folder', (value) => resolve(value));

/** An absolute URL without query and fragment; a trailing slash is removed. */
export const httpUrl: SettingKind<string> = kind('an `http:` or `https:` URL without a query', (value) => {
  const url = parseHttpUrl(value);
  return url && url.search === '' && url.hash === '' ? url.href.replace(/\/$/, '') : undefined;
});

export const keySetUrl: SettingKind<URL> = kind('an `https:` URL (`http:` for this machine only)', (value) => {
  const url = parseHttpUrl(value);
  return url && isTrustworthy(url) ? url : undefined;
});

export const texts: SettingKind<readonly string[]> = kind('texts separated by commas', (value) => {
  const found = value.split(',').map((part) => part.trim());
  return found.every((part) => part !== '') ? found : undefined;
});

export const secret: SettingKind<string> = {
  accepts: `at least ${MIN_SECRET_BYTES} bytes of text`,
  read(value) {
    secretKeys(value);
    return value;
  },
};

export const bytes32: SettingKind<Uint8Array> = kind('32 bytes in hexadecimal', (value) =>
  /^[\da-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : undefined,
);

/** A schema of Postgres, in lower case, so that it needs no quotation marks. */
export const schemaName: SettingKind<string> = kind('a name in lower case, such as `lockstep`', (value) =>
  /^(?!pg_)[a-z_][a-z\d_]{0,62}$/.test(value) ? value : undefined,
);

export const publicKey: SettingKind<string> = {
  accepts: 'an RSA, P-256 or Ed25519 public key in PEM; line breaks may be written as `\\n`',
  read(value) {
    publicKeys(value);
    return value;
  },
};

/**
 * Any `sslmode` but `disable` and `no-verify` verifies the certificate and the name of the server, as the driver does; it
 * would print a warning of ten lines if it were not named.
 */
const withTls = (url: string): string =>
  /[?&]uselibpqcompat=/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');

/** A database by its URL. A SQLite file's path is made absolute. */
export const databaseUrl: SettingKind<DatabaseLocation> = kind(
  '`sqlite:` and the path of a file, or a `postgres:` URL with the name of a database',
  (value) => {
    if (isPostgresUrl(value)) return { kind: 'postgres', url: withTls(value) };
    const path = /^sqlite:(?:\/\/)?([^?#]+)$/.exec(value)?.[1];
    return path === undefined || path === ':memory:' ? undefined : { kind: 'sqlite', file: resolve(path) };
  },
);

/** A database of Postgres by its URL. */
export const postgresUrl: SettingKind<string> = kind('a `postgres:` URL with the name of a database', (value) =>
  isPostgresUrl(value) ? withTls(value) : undefined,
);

/** A standby by its URL: of several hosts, one that is a standby. */
export const replicaUrl: SettingKind<string> = kind('a `postgres:` URL with the name of a database', (value) => {
  const address = postgresAddress(value);
  if (!address) return undefined;
  const isChosen = address.urls.length === 1 || /[?&]target_session_attrs=/.test(value);
  return withTls(isChosen ? value : `${value}${value.includes('?') ? '&' : '?'}target_session_attrs=standby`);
});

const isPostgresUrl = (value: string): boolean => postgresAddress(value) !== undefined;

export const redisUrl: SettingKind<string> = kind(
  'a URL: `redis://host:6379/0`, `redis+sentinel://host1:26379,host2:26379/mymaster/0` or ' +
    '`redis+cluster://host1:6379,host2:6379`; `rediss` is over TLS',
  (value) => (redisAddress(value) ? value : undefined),
);

/** A number of hops, or the addresses of proxies. Trusting every address would let callers forge `X-Forwarded-For`. */
export const trustedProxies: SettingKind<number | readonly string[]> = kind(
  'a number of hops from 0 to 9, or IP addresses and subnets separated by commas',
  (value) => {
    if (/^\d$/.test(value)) return Number(value);
    const addresses = value.split(',').map((address) => address.trim());
    return addresses.every(isSubnet) ? addresses : undefined;
  },
);

/** Origins as browsers send them, or `*` for any. */
export const origins: SettingKind<AllowedOrigins> = kind(
  '`*`, or origins such as `https://shop.example` separated by commas',
  (value) => {
    if (value === '*') return 'any';
    const parsed = value.split(',').map((one) => parseHttpUrl(one.trim()));
    const isOrigin = (url: URL | undefined): boolean => url !== undefined && url.href === `${url.origin}/`;
    return parsed.every(isOrigin) ? parsed.map((url) => url!.origin) : undefined;
  },
);

/** `*` would not cover `Authorization`, and a list says what is meant. */
export const fieldNames: SettingKind<readonly string[]> = kind(
  'names of header fields separated by commas, without `*`',
  (value) => {
    const names = value.split(',').map((name) => name.trim());
    return names.every((name) => /^[\w!#$%&'+.^`|~-]+$/.test(name)) ? names : undefined;
  },
);

function parseHttpUrl(value: string): URL | undefined {
  const url = URL.parse(value);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isHttp && url.username === '' && url.password === '' ? url : undefined;
}

function isSubnet(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (isIPv6(address) ? 128 : 32);
}

/** Attributes as OpenTelemetry writes them: values are percent-encoded. */
export const attributes: SettingKind<Readonly<Record<string, string>>> = kind(
  'pairs of a name and a value, `name=value`, separated by commas',
  (text) => {
    const pairs = text.split(',').filter((pair) => pair.trim() !== '');
    const entries = pairs.map((pair) => /^\s*([^=\s]+)\s*=\s*([^=]*?)\s*$/.exec(pair));
    if (!entries.every((entry) => entry !== null) || /%(?![\dA-Fa-f]{2})/.test(text)) return undefined;
    return Object.fromEntries(
      entries.map(([, name, value]) => [
        name!,
        Buffer.from(
          value!.replaceAll(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString(),
      ]),
    );
  },
);
