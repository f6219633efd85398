import { ConfigError } from '../../descriptor/config-error.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';

/** The resources with tables of Lockstep. */
export const ownResources = (resources: readonly ResourceDescriptor[]): readonly ResourceDescriptor[] =>
  resources.filter(({ mapped }) => !mapped);

/** Throws `ConfigError` for a contract with tables of others, which a server in production does not stand in for. */
export function refuseMapped(resources: readonly ResourceDescriptor[]): void {
  const names = resources.flatMap(({ name, mapped }) => (mapped ? [`${name} (${mapped.schema}.${mapped.name})`] : []));
  if (names.length === 0) return;
  throw new ConfigError([
    `x-table maps ${names.join(', ')}: in production, their tables are in the Postgres at DATABASE_URL. Set it.`,
  ]);
}
