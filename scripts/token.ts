import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { developmentKeys } from '../src/runtime/auth/development-key.ts';
import type { SecretKeys } from '../src/runtime/auth/keys.ts';
import { signToken } from '../src/runtime/auth/sign-token.ts';
import { type Config, readConfig } from '../src/runtime/settings/config.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';

const USAGE = 'usage: npm run token -- [--sub ID] [--scope "A B"] [--expires 1h]';

helpIfAsked(USAGE);

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const MAX_SUBJECT_LENGTH = 255;

/** A scope without quotes and backslashes (RFC 6749, 3.3). */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

class UsageError extends Error {}

/** Without `--sub`, a new caller. */
function readFlags(): { subject: string; scopes: string[]; expiresInSeconds: number } {
  const { values } = parseArgs({
    options: { sub: { type: 'string' }, scope: { type: 'string', multiple: true }, expires: { type: 'string' } },
  });
  return {
    subject: readSubject(values.sub ?? randomUUID()),
    scopes: readScopes(values.scope ?? []),
    expiresInSeconds: readDuration(values.expires ?? '1h'),
  };
}

function readSubject(text: string): string {
  if (text !== '' && text.length <= MAX_SUBJECT_LENGTH) return text;
  throw new UsageError(`--sub accepts 1 to ${MAX_SUBJECT_LENGTH} characters: the caller's id`);
}

function readScopes(texts: readonly string[]): string[] {
  const scopes = texts.flatMap((text) => text.split(' ')).filter((scope) => scope !== '');
  if (scopes.every((scope) => SCOPE.test(scope))) return scopes;
  throw new UsageError('--scope accepts scopes with spaces between, like "products:write orders:admin"');
}

function readDuration(text: string): number {
  const [, amount, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
  throw new UsageError(`--expires accepts a number of s, m, h or d, like 90s or 12h, not ${JSON.stringify(text)}`);
}

function signingKeys({ keys, dataDir }: Config): SecretKeys {
  const usable = keys ?? developmentKeys(dataDir);
  if (usable.kind === 'secret') return usable;
  throw new UsageError('tokens for JWT_JWKS_URL and JWT_PUBLIC_KEY come from their issuer; only JWT_SECRET can sign');
}

try {
  const flags = readFlags();
  const config = readConfig(process.env);
  const token = signToken(signingKeys(config), {
    ...flags,
    issuer: config.jwtIssuer,
    audience: config.jwtAudience,
  });
  console.log(token);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(message);
  if (error instanceof UsageError || error instanceof TypeError) console.error(USAGE);
  process.exitCode = 1;
}
