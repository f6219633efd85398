import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generatedContract } from './generated-contract.ts';
import type { ServedHandlers } from './served-handlers.ts';
import { readConfig } from './settings/config.ts';
import type { AnyHandlers } from './wiring.ts';

/**
 * The options of `start`.
 * @example
 * import { type StartOptions, start } from 'lockstep';
 * import { handlers } from '../handlers/index.ts';
 *
 * const options: StartOptions = { generated: 'generated', handlers, env: { ...process.env, PORT: '8080' } };
 * await start(options);
 */
export interface StartOptions {
  /** The folder with the generated files; a path is relative to the working directory. */
  readonly generated: string | URL;
  readonly handlers?: ServedHandlers;
  /** Environment variables with the server's settings; `process.env` if left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Serves a generated contract with the settings in `env`. Resolves with the address once the server listens. */
export async function startGenerated({ generated, handlers, env = process.env }: StartOptions): Promise<string> {
  const folder = typeof generated === 'string' ? pathToFileURL(resolve(generated)) : generated;
  const contract = await generatedContract(new URL(`${folder.href.replace(/\/$/, '')}/`));
  const config = readConfig(env);
  const started = { config, contract, ...(handlers && { handlers: handlers as AnyHandlers }) };
  if (config.workers > 1) return (await import('./start-workers.ts')).startWorkers(started);
  const { boot } = await import('./boot.ts');
  const { url } = await boot(started);
  return url;
}
