import { relative } from 'node:path';
import type { Finding } from '../../compiler/findings/index.ts';
import type { ContractModel } from '../../compiler/model/index.ts';
import { totalsOf } from '../../descriptor/resource.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { handlersIn, handlersOf } from '../../tools/replaced-entries.ts';

/** That totals do not ask the overrides of the lists beside which they stand, in the project's own handlers. */
export async function totalsCodeFindings(
  contracts: string,
  model: Pick<ContractModel, 'resources'> | undefined,
): Promise<readonly Finding[]> {
  const path = handlersOf(contracts);
  const totalled = model?.resources.filter((one) => totalsOf(one).length > 0) ?? [];
  if (path === undefined || totalled.length === 0) return [];
  // Code that cannot be loaded has other faults, which its types and the server report.
  const handlers: AnyHandlers = await handlersIn(path).catch(() => ({}));
  return totalled
    .filter(({ key }) => handlers.overrides?.[key]?.list !== undefined)
    .map(({ key, name }) => ({
      rule: 'totals-override',
      severity: 'warning',
      message: `Totals of \`${name}\` count the rows of the database, not what the override of its list answers.`,
      hint: 'Narrow the list by rules of access instead of code, or remove the totals.',
      location: { file: relative(contracts, path), line: 1, column: 1, pointer: `overrides.${key}.list` },
    }));
}
