import type { ClientsOptions } from './make-clients.ts';

export { LANGUAGES, type Language } from './languages.ts';

/** Writes the clients of a contract. Throws `ConfigError`, also when the contract has errors. */
export async function makeClients(options: ClientsOptions): Promise<void> {
  // Commands are listed and completed without what makes clients.
  const clients = await import('./make-clients.ts');
  return clients.makeClients(options);
}
