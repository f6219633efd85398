import type { ClientsOptions } from './make-clients.ts';

export { goRaw, goSamples } from './go/go-sample.ts';
export { javaSamples } from './java/java-sample.ts';
export { LANGUAGES, type Language } from './languages.ts';
export { pythonLiteral } from './python/python-literal.ts';
export { pythonSamples } from './python/python-sample.ts';

/** Writes the clients of a contract. Throws `ConfigError`, also when the contract has errors. */
export async function makeClients(options: ClientsOptions): Promise<void> {
  // Commands are listed and completed without what makes clients.
  const clients = await import('./make-clients.ts');
  return clients.makeClients(options);
}
