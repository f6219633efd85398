import { type Action, namingProperty, propertyNamed } from '../../descriptor/resource.ts';
import type { Principal } from '../../runtime/auth/index.ts';
import { filterAt } from '../../runtime/engine/access/index.ts';
import type { PathParams } from '../../runtime/engine/interface/index.ts';
import { createCursorCodec, listPlanner } from '../../runtime/engine/lists/index.ts';
import type { Resource } from '../../runtime/engine/resource/index.ts';
import type { Condition, StoredValue } from '../../runtime/storage/index.ts';
import type { AskedDatabase } from './asked-database.ts';
import { ContractStatements, type Executed } from './contract-statements.ts';
import { ruledAction } from './explain-rules.ts';
import { fieldStatements, NO_ROWS } from './field-statements.ts';

/** Stands for what only a request knows: the value of a path parameter, and the rows that have been read. */
interface Unknowns {
  /** The name of the parameter that a value stands for; `rows`. */
  nameOf(value: StoredValue): string | undefined;
}

export interface Execution extends Unknowns {
  readonly statements: readonly Executed[];
}

/**
 * The statements by which an action finds rows for a caller, and tests its rules. Throws `UNAUTHENTICATED` as the
 * action does.
 */
export function executedStatements(
  database: Pick<AskedDatabase, 'dialect' | 'layout' | 'encode'>,
  resources: ReadonlyMap<string, Resource>,
  resource: Resource,
  action: Action,
  principal: Principal | undefined,
): Execution {
  const contract = new ContractStatements(database, resources, principal);
  const stand = standIns(resource);
  const get = (level: Resource, reads: string, seen: readonly Condition[], property = 'id'): Executed => {
    const conditions = contract.within(level, seen);
    const statement = contract.of(level).get(conditions, property);
    return { reads, statement, values: [stand.valueFor(level)!, ...contract.valuesOf(level, conditions)] };
  };
  const parents = resource.levels
    .slice(1)
    .map((level) => get(level, `the ${level.descriptor.name} of the path`, filterAt(level, stand.params, principal)));
  const own = (): readonly Executed[] => {
    const scope = filterAt(resource, stand.params, principal);
    if (action === 'list') {
      const planned = listPlanner(resource, createCursorCodec(new Uint8Array(32)))({}, { principal, scope });
      const rows = { ...planned.rows, conditions: contract.within(resource, planned.rows.conditions) };
      const values = [...contract.valuesOf(resource, rows.conditions), rows.limit];
      return [{ reads: 'the first page, and one row more', statement: contract.of(resource).list(rows), values }];
    }
    if (action === 'create') return [];
    return [get(resource, 'the row, if the caller reads it', scope, namingProperty(resource.descriptor))];
  };
  const rule = ruledAction(action);
  const conditions = rule === 'read' ? undefined : resource.access?.[rule]?.conditionsFor(principal);
  const tested = conditions?.length ? [get(resource, `the row, if \`x-access.${rule}\` holds`, conditions)] : [];
  const fields = fieldStatements(contract, resource, action, principal);
  return {
    statements: [...parents, ...own(), ...tested, ...fields],
    nameOf: (value) => (value === NO_ROWS ? 'rows' : stand.nameOf(value)),
  };
}

/** A value for each path parameter, which no rule has by chance. */
function standIns(resource: Resource) {
  const names = new Map<StoredValue, string>();
  const byLevel = new Map<Resource, StoredValue>();
  const params: Record<string, string> = {};
  resource.levels.forEach((level, i) => {
    const { idParameter, properties } = level.descriptor;
    const below = resource.levels[i - 1];
    const named = below ? 'id' : namingProperty(level.descriptor);
    const { type } = propertyNamed(properties, named);
    const value = standIn(type, i, idParameter);
    names.set(value, idParameter);
    byLevel.set(level, value);
    params[idParameter] = String(value);
    if (below) params[below.descriptor.parent!.property] = String(value);
  });
  const asParams: PathParams = params;
  return {
    params: asParams,
    valueFor: (level: Resource) => byLevel.get(level),
    nameOf: (value: StoredValue) => names.get(value),
  };
}

const FAR = Number.MAX_SAFE_INTEGER;

function standIn(type: string, i: number, name: string): StoredValue {
  if (type === 'uuid') return `00000000-0000-7000-8000-${String(FAR - i).slice(-12)}`;
  if (type === 'integer') return FAR - i;
  return type === 'int64' ? String(FAR - i) : `{${name}}`;
}
