import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** How `npm start` is called. */
export const USAGE = `Usage: npm start -- [--contracts DIR] [--handlers DIR] [--sample FILE]

  --contracts DIR  serve this contract instead of contracts/, on a database of its own;
                   custom operations answer 501 without --handlers
  --handlers DIR   folder whose index.ts exports \`handlers\`
  --sample FILE    module whose \`sample()\` fills an empty database (for contracts/: contracts/samples/index.ts)

Settings come from environment variables; the README lists them.`;

/** Where the contract is, unless told otherwise. */
export const OWN_CONTRACTS = 'contracts';
const OWN_HANDLERS = 'src/handlers';
const OWN_SAMPLE = 'contracts/samples/index.ts';

/** What was asked cannot be done; the message says why, without a stack. */
export class UsageError extends Error {}

export interface StartOptions {
  /** Folder to compile; undefined: the generated contract. */
  readonly contracts: string | undefined;
  /** Folder or file; undefined: the default actions alone. */
  readonly handlers: string | undefined;
  readonly sample: string | undefined;
}

const existing = (path: string): string | undefined => (existsSync(path) ? path : undefined);

/** Throws `UsageError`. */
export function readOptions(args: readonly string[]): StartOptions {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ args: [...args], options: { contracts: text, handlers: text, sample: text } });
    if (values.contracts !== undefined && resolve(values.contracts) !== resolve(OWN_CONTRACTS)) {
      return { contracts: values.contracts, handlers: values.handlers, sample: values.sample };
    }
    const { handlers = OWN_HANDLERS, sample = existing(OWN_SAMPLE) } = values;
    return { contracts: undefined, handlers, sample };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
