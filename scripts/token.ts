import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { defineCommand } from '../src/tools/define-command.ts';
import { claimsOf } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const MAX_SUBJECT_LENGTH = 255;

/** A scope without quotes and backslashes (RFC 6749, 3.3). */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

function readSubject(text: string): string {
  if (text !== '' && text.length <= MAX_SUBJECT_LENGTH) return text;
  throw new InvalidArgumentError(`It must have 1 to ${MAX_SUBJECT_LENGTH} characters.`);
}

function readScopes(text: string, previous: readonly string[] = []): readonly string[] {
  const scopes = text.split(' ').filter((scope) => scope !== '');
  if (scopes.every((scope) => SCOPE.test(scope))) return [...previous, ...scopes];
  throw new InvalidArgumentError('It must be scopes separated by spaces, such as "products:write orders:admin".');
}

function readDuration(text: string): number {
  const [, amount, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
  throw new InvalidArgumentError(
    'It must be a number of seconds, minutes, hours or days, such as 90s, 15m, 12h or 2d.',
  );
}

export const command = defineCommand('token', {
  description:
    'Prints only a token that the server of this folder accepts. JWT_SECRET signs it, otherwise the development key in DATA_DIR.',
  examples: [
    { what: 'a caller with two scopes', args: '--sub ada --scope "products:write orders:admin"' },
    { what: 'a new caller, for a day', args: '--expires 1d' },
    { what: 'a caller of a tenant', args: `--sub ada --claims '{"tenant":"acme"}'` },
  ],
})
  .option('--sub <id>', 'id of the caller (default: a new UUID)', readSubject)
  .option('--scope <scopes>', 'scopes of the caller, separated by spaces; may be repeated', readScopes)
  .option('--claims <json>', 'further claims, as a JSON object', (text) => claimsOf(text))
  .addOption(
    new Option('--expires <time>', 'time until it expires, such as 90s, 15m, 12h or 2d')
      .argParser(readDuration)
      .default(SECONDS.h, '1h'),
  )
  .action(async ({ sub, scope = [], claims, expires }) => {
    const { developmentToken } = await import('../src/tools/development-token.ts');
    console.log(developmentToken({ subject: sub, scopes: scope, expiresInSeconds: expires, claims }));
  });

if (import.meta.main) void runScript(command);
