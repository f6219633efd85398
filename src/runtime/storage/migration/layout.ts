import { ConfigError } from '../../../descriptor/config-error.ts';
import { type Layout, layoutFaults, nameOfLayout, PLAIN } from '../../../descriptor/layout.ts';
import { layoutIn } from '../../../descriptor/migration/layout-in.ts';
import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { tablesOf } from '../../../descriptor/table.ts';
import type { MigrationTarget } from './target.ts';

/** What decides how the tables of a database are laid out. */
export interface LayoutWishes {
  readonly resources: readonly ResourceDescriptor[];
  /** How a new database keeps the rows of tenants; undefined: as it does, or plain. */
  readonly layout?: Layout | undefined;
  /** Whether the rows of tenants have a second wall in the database; undefined: it stays as it is. */
  readonly hasRowSecurity?: boolean | undefined;
  /** A standby answers reads. */
  readonly hasReplica?: boolean;
}

/** The first release of Postgres that sets null one column of a reference alone. */
const FIRST_VERSION = 15;

/**
 * The layout of a database: the one that its tables have, or, if it is new, the one that is wanted. Throws `ConfigError` with
 * all that stands against it.
 */
export function layoutFor(
  target: Pick<MigrationTarget, 'place' | 'layouts'>,
  wanted: LayoutWishes,
  live: ReadonlyMap<string, LiveTable>,
  isNew: boolean,
): Layout {
  const found = layoutIn(wanted.resources, live) ?? (isNew ? undefined : PLAIN);
  // A new database whose tables are made, and are yet to be distributed.
  const isUnfinished = isNew && wanted.layout?.kind === 'citus' && found?.kind === 'tenants' && found.partitions === 0;
  const layout = (isUnfinished ? undefined : found) ?? wanted.layout ?? PLAIN;
  const own = [...faultsOf(target, layout, wanted), ...takenNames(layout, wanted.resources, live)];
  const faults = [...otherLayout(target, layout, wanted.layout), ...own];
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `DATABASE_LAYOUT: ${fault}`));
  return layout;
}

const otherLayout = ({ place }: Pick<MigrationTarget, 'place'>, is: Layout, wanted: Layout | undefined): string[] =>
  wanted && nameOfLayout(wanted) !== nameOfLayout(is)
    ? [`the tables of ${place} are ${nameOfLayout(is)}. npm run copy moves rows to a database of another layout.`]
    : [];

/** Partitions whose names other tables have: those of the contract, or, before they are made, of any program. */
const takenNames = (
  layout: Layout,
  resources: readonly ResourceDescriptor[],
  live: ReadonlyMap<string, LiveTable>,
): string[] =>
  tablesOf(resources, layout).flatMap(({ name, partitions }) =>
    partitions
      .filter((part) => resources.some(({ table }) => table === part) || (!live.has(name) && live.has(part)))
      .map((part) => `a partition of ${name} would have the name of the table ${part}.`),
  );

function faultsOf(
  { place, layouts }: Pick<MigrationTarget, 'place' | 'layouts'>,
  layout: Layout,
  { resources, hasRowSecurity, hasReplica }: LayoutWishes,
): string[] {
  if (layout.kind === 'plain') return [];
  const name = nameOfLayout(layout);
  const faults = layoutFaults(layout, resources);
  if (!layouts) return [...faults, `${name} needs Postgres, which ${place} is not: set DATABASE_URL.`];
  if (layouts.version < FIRST_VERSION)
    faults.push(`${name} needs Postgres ${FIRST_VERSION} or newer; ${place} is ${layouts.version}.`);
  if (layout.kind !== 'citus') return faults;
  if (!layouts.hasCitus)
    faults.push(`the database at ${place.replace('Postgres at ', '')} does not have the extension citus.`);
  if (hasReplica) faults.push('citus does not go with DATABASE_READ_URL: one standby has the rows of one node.');
  if (hasRowSecurity) faults.push('citus does not go with DATABASE_RLS: its policies do not reach other nodes.');
  return faults;
}
