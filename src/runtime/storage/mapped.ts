import { ConfigError } from '../../descriptor/config-error.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';

/** The resources with tables of Lockstep. */
export const ownResources = (resources: readonly ResourceDescriptor[]): readonly ResourceDescriptor[] =>
  resources.filter(({ mapped }) => !mapped);

/** Throws `ConfigError` for a contract with tables of others, in a database that does not have them. */
export function refuseMapped(resources: readonly ResourceDescriptor[], where: string): void {
  const names = resources.flatMap(({ name, mapped }) => (mapped ? [`${name} (${mapped.schema}.${mapped.name})`] : []));
  if (names.length === 0) return;
  throw new ConfigError([
    `x-table maps ${names.join(', ')}: this version serves such tables from the Postgres at DATABASE_URL alone, and not from ${where}.`,
  ]);
}
