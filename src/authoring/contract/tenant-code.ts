import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { OutputFiles } from '../../compiler/emit/folder/index.ts';
import type { Finding } from '../../compiler/findings/index.ts';
import { handlersOf } from '../../tools/replaced-entries.ts';

const TYPES = 'types/resources.ts';
const hasTenants = (text: string | undefined): boolean => text?.includes('\n    readonly tenant: ') === true;

/**
 * That the `store` of a project's handlers stays within a tenant from now on, where the output that is there was made when
 * it did not: before the contract had `x-tenant`, or by a release of Lockstep that let it leave.
 */
export async function tenantCodeFindings(
  contracts: string,
  out: string,
  files: OutputFiles | undefined,
): Promise<readonly Finding[]> {
  if (!hasTenants(files?.get(TYPES)) || handlersOf(contracts) === undefined) return [];
  const before = await readFile(join(out, TYPES), 'utf8').catch(() => undefined);
  if (before === undefined || hasTenants(before)) return [];
  return [
    {
      rule: 'tenant-code',
      severity: 'warning',
      message:
        'With `x-tenant`, the `store` of handlers reaches the rows of one tenant, and without a claim those of none.',
      hint: 'If code must leave its tenant, write `store.acrossTenants` or `store.forTenant(id)`.',
      location: { file: relative(contracts, handlersOf(contracts)!), line: 1, column: 1, pointer: '' },
    },
  ];
}
