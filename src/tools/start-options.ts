import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folder of the project's contract. */
export const OWN_CONTRACTS = 'contracts';
/** Folder of what is generated from it. */
export const OWN_OUT = 'generated';
const OWN_HANDLERS = 'src/handlers';
const OWN_SAMPLE = 'contracts/samples/index.ts';

/** What is served, as the command line says it; folders and files by their paths. */
export interface StartFlags {
  readonly contracts?: string | undefined;
  readonly handlers?: string | undefined;
  readonly sample?: string | undefined;
}

export interface StartOptions {
  /** Folder to compile; undefined: the generated contract. */
  readonly contracts: string | undefined;
  /** Folder or file; undefined: the default actions alone. */
  readonly handlers: string | undefined;
  readonly sample: string | undefined;
}

/** The project's own contract comes with the project's handlers and sample data; any other contract comes alone. */
export function startOptions({ contracts, handlers, sample }: StartFlags): StartOptions {
  if (contracts !== undefined && resolve(contracts) !== resolve(OWN_CONTRACTS)) return { contracts, handlers, sample };
  return { contracts: undefined, handlers: handlers ?? OWN_HANDLERS, sample: sample ?? existing(OWN_SAMPLE) };
}

const existing = (path: string): string | undefined => (existsSync(path) ? path : undefined);
