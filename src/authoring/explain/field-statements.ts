import type { Action } from '../../descriptor/resource.ts';
import type { Principal } from '../../runtime/auth/index.ts';
import type { Permission, Resource } from '../../runtime/engine/resource/index.ts';
import type { ContractStatements, Executed } from './contract-statements.ts';
import type { ExplainedRule } from './explanation.ts';

/** Stands for the rows that are judged: none, as databases read them. */
export const NO_ROWS = '[ ]';

/**
 * The statements by which the engine asks the database, for rows that it has, what a caller may read and write of their
 * properties. What the row alone decides takes none.
 */
export function fieldStatements(
  statements: ContractStatements,
  resource: Resource,
  action: Action,
  principal: Principal | undefined,
): readonly Executed[] {
  const { fields } = resource;
  if (!fields || action === 'delete') return [];
  const executed = (reads: string, permission: Permission): readonly Executed[] => {
    if (permission.conditions.length === 0 || permission.test) return [];
    const conditions = statements.ofGiven(resource, permission.conditions);
    const statement = statements.of(resource).meetEach(conditions);
    return [{ reads, statement, values: [NO_ROWS, ...statements.valuesOf(resource, conditions)] }];
  };
  const read = (fields.viewFor(principal)?.limited ?? []).flatMap((one) =>
    executed(`the rows that show ${namesOf(one.names)}, of those that are answered`, one),
  );
  if (action === 'list' || action === 'get') return read;
  const of = action === 'create' ? 'the new one' : 'those before and after the change';
  const written = writtenTogether(resource, principal).flatMap(([names, permission]) =>
    executed(`the rows whose ${namesOf(names)} may be written, of ${of}`, permission),
  );
  return [...written, ...read];
}

/** The rules of properties, with where the engine finds out about those that depend on the row. */
export function withWhereTold(
  rules: readonly ExplainedRule[],
  { fields, descriptor: { name: resource } }: Resource,
  principal: Principal | undefined,
): readonly ExplainedRule[] {
  return rules.map((rule) => {
    if (rule.holds !== 'depending on the row') return rule;
    const name = rule.resource.slice(resource.length + 1);
    const permission =
      rule.rule === 'x-access.write'
        ? fields!.permissionToWrite(name, principal)
        : fields!.viewFor(principal)?.limited.find(({ names }) => names.includes(name));
    return { ...rule, toldBy: permission?.test ? 'the row' : 'the database' };
  });
}

/** What decides who writes which properties; those for which the same decides are together. */
function writtenTogether({ fields }: Resource, principal: Principal | undefined) {
  const permissions = fields!.written.map((name) => [name, fields!.permissionToWrite(name, principal)] as const);
  const groups = Map.groupBy(permissions, ([, { conditions }]) => JSON.stringify(conditions));
  return [...groups.values()].map((same) => [same.map(([name]) => name), same[0]![1]] as const);
}

const namesOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');
