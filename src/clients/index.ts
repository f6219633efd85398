import type { ClientsOptions } from './make-clients.ts';

export { LANGUAGES, type Language } from './languages.ts';

/** Writes the clients of a contract. Resolves with the exit code: 1 when the contract has errors. Throws `ConfigError`. */
export async function makeClients(options: ClientsOptions): Promise<number> {
  // Commands are listed and completed without what makes clients.
  const clients = await import('./make-clients.ts');
  return clients.makeClients(options);
}
