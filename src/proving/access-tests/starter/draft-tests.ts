import { exampleOf, flat, type ValueSchema } from '../../../compiler/json-schema/index.ts';
import type { CompiledContract } from '../../../descriptor/compiled-contract.ts';
import { levelsFrom, parentOf } from '../../../descriptor/levels.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { ACTIONS, type Action, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { alternativesOf } from '../../../descriptor/row-access.ts';
import type { Values } from '../suite.ts';
import { type DraftRows, rowName, spareName } from './draft-rows.ts';

/** A question of the tests that a contract starts with; every caller asks it. */
export interface DraftTest {
  readonly action: string;
  readonly row?: string;
  readonly under?: string;
  readonly values?: Values;
}

/** Whether a resource has rules of its own of who may do what, beside what `security` of its operations says. */
export const isRuled = (resource: ResourceDescriptor): boolean =>
  resource.owner !== undefined || alternativesOf(resource).length > 0;

/** The resource above one that has rules, and so decides who sees its rows. */
export function ruledAbove(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): ResourceDescriptor | undefined {
  return levelsFrom(resource, resources).slice(1).find(isRuled);
}

/**
 * Every action of a resource on each of its rows. `replace` stands in for a missing `update`, which goes by the same
 * rules; of a resource without rules of its own, who sees its rows.
 */
export function draftTests(
  resource: ResourceDescriptor,
  rows: DraftRows,
  contract: CompiledContract,
): readonly DraftTest[] {
  const named = lookUp(rows, resource.key);
  const actions = isRuled(resource) ? ACTIONS.filter((one) => one !== 'replace' || !resource.actions.update) : READS;
  return actions.flatMap((action): readonly DraftTest[] => {
    if (!resource.actions[action]) return [];
    const asked = { action: `${resource.key}.${action}`, ...inputOf(resource, action, named, contract) };
    const above = parentOf(contract.resources, resource);
    if (action === 'list' || action === 'create') return [{ ...asked, ...(above && { under: rowName(above) }) }];
    if (action === 'delete' && spareName(resource) in named) return [{ ...asked, row: spareName(resource) }];
    const rowNames = Object.keys(named).filter((row) => row !== spareName(resource));
    // The row for which the rules hold says what may be done; what others of them are for is who reads them.
    return rowNames.slice(0, action === 'get' ? undefined : 1).map((row) => ({ ...asked, row }));
  });
}

const READS: readonly Action[] = ['list', 'get'];

function inputOf(
  resource: ResourceDescriptor,
  action: Action,
  rows: Readonly<Record<string, Values>>,
  contract: CompiledContract,
): { readonly values?: Values } {
  const row = rows[rowName(resource)]!;
  const values =
    action === 'create'
      ? createdValues(resource, row)
      : action === 'update'
        ? changedValues(resource, row, contract)
        : {};
  return Object.keys(values).length > 0 ? { values } : {};
}

/** What the rules compare of what a caller sends. */
const createdValues = ({ properties, parent }: ResourceDescriptor, row: Values): Values =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => {
      const property = properties.find((one) => one.name === name);
      return name !== parent?.property && property?.origin === 'input' && name !== 'id' && !property.access?.write;
    }),
  );

/** A change that anybody who may change the row may make. */
function changedValues(
  { properties, schemas, unique }: ResourceDescriptor,
  row: Values,
  { document }: CompiledContract,
): Values {
  if (schemas.patch === undefined) return {};
  const patch = flat(document, { $ref: `#/components/schemas/${schemas.patch}` } as ValueSchema);
  const keys = new Set(['id', ...unique.flat()]);
  const open = properties.filter(
    ({ name, origin, immutable, references, access }) =>
      origin === 'input' && !(immutable || references || access || keys.has(name)),
  );
  const usual = open.find(
    ({ type, enum: values }) => !values && (type === 'string' || type === 'integer' || type === 'boolean'),
  );
  const schema = usual && patch.properties?.[usual.name];
  const example = schema && exampleOf(document, schema);
  if (example !== undefined) return { [usual!.name]: example };
  // Where rules compare all that could be changed, it stays as it is.
  const same = open.find(({ name, transitions }) => name in row && !transitions && patch.properties?.[name]);
  return same ? { [same.name]: row[same.name] } : {};
}
