import { dirname } from 'node:path';
import { readConfig } from '../../runtime/settings/config.ts';
import { OWN_CONTRACTS, type StartFlags, startOptions } from '../command/start-options.ts';
import { DevSession } from './dev-session.ts';
import { watchFolders } from './watch.ts';

const OWN_OUT = 'generated';

export interface DevelopFlags extends StartFlags {
  /** Folder to write what is generated to; undefined: `generated` for the project's own contract, else none. */
  readonly out?: string | undefined;
}

/** Serves a contract and follows every change until a signal ends the process. */
export async function develop({ out, ...flags }: DevelopFlags): Promise<void> {
  const start = startOptions(flags);
  const { contracts = OWN_CONTRACTS, handlers, sample } = start;
  const { host, port } = readConfig(process.env);
  const own = start.contracts === undefined ? OWN_OUT : undefined;
  const session = new DevSession({ contracts, out: out ?? own, start, host, port });
  const code = ['src', handlers, sample && dirname(sample)].filter((folder) => folder !== undefined);
  watchFolders([contracts, ...new Set(code)], (folders) => void session.update({ contract: folders.has(contracts) }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void session.close().then(() => process.exit(0)));
  await session.update({ contract: true });
}
