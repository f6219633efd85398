import { ConfigError } from '../../descriptor/config-error.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';

/** Throws `ConfigError` for a contract with tables of others, which are checked and described, and not served yet. */
export function refuseMapped(resources: readonly ResourceDescriptor[]): void {
  const mapped = resources.filter((resource) => resource.mapped);
  if (mapped.length === 0) return;
  const names = mapped.map(({ name, mapped: table }) => `${name} (${table!.schema}.${table!.name})`).join(', ');
  throw new ConfigError([`x-table maps ${names}: this version checks such contracts, and does not serve them yet.`]);
}
