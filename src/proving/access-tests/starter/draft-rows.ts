import { lowerFirst, upperFirst } from '../../../compiler/model/index.ts';
import type { CompiledContract } from '../../../descriptor/compiled-contract.ts';
import { type PropertyDescriptor, type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import { inOrder } from '../../../tools/synthetic/index.ts';
import { isSubject, tenantsOf } from '../../../tools/token/index.ts';
import type { Values } from '../suite.ts';
import { claimValue, OWNER, propertyOf } from './cast.ts';
import { factsOf, type RuleFact } from './rule-facts.ts';

/** Rows by resource and name. */
export type DraftRows = ReadonlyMap<string, Readonly<Record<string, Values>>>;

/** The name of the row of a resource for which its rules hold. */
export const rowName = ({ name }: ResourceDescriptor): string => lowerFirst(name.replace(/\W/g, '_'));

/** The name of the row that is deleted where others keep the first. */
export const spareName = (resource: ResourceDescriptor): string => `spare${upperFirst(rowName(resource))}`;

/** Whether rows of a resource can be deleted, but not while others refer to them. */
const isReferredTo = ({ key, actions }: ResourceDescriptor, resources: readonly ResourceDescriptor[]): boolean =>
  actions.delete !== undefined &&
  resources.some(({ properties }) =>
    properties.some(({ references: to }) => to?.resource === key && to.onDelete === 'restrict'),
  );

/**
 * A row of each resource with what its rules compare, so that they hold for the caller whose row it is; and where they
 * compare it with a value, such as a state, one of another value; and the rows of both tenants, where tenants are rows.
 */
export function draftRows(contract: CompiledContract): DraftRows {
  const { resources } = contract;
  const facts = factsOf(resources);
  const tenants = tenantsOf(contract);
  const made = new Map<string, Readonly<Record<string, Values>>>();
  for (const resource of inOrder(resources)) {
    const drafted = rowOf(resource, new Set(made.keys()), facts, resources);
    const other = otherOf(resource, facts, resources);
    const name = rowName(resource);
    const isTenant = tenants?.resource === resource.key;
    made.set(resource.key, {
      [name]: isTenant ? { ...drafted, id: tenants.values[0] } : drafted,
      ...(isTenant && { [`foreign${upperFirst(name)}`]: { ...withoutKeys(resource, drafted), id: tenants.values[1] } }),
      ...(isReferredTo(resource, resources) && { [spareName(resource)]: withoutKeys(resource, drafted) }),
      ...(other && { [`other${upperFirst(name)}`]: { ...withoutKeys(resource, drafted), ...other } }),
    });
  }
  return made;
}

function rowOf(
  resource: ResourceDescriptor,
  made: ReadonlySet<string>,
  facts: readonly RuleFact[],
  resources: readonly ResourceDescriptor[],
): Values {
  const values: Record<string, unknown> = {};
  for (const { key, property, value } of meant(facts, resources))
    if (key === resource.key && !(property in values)) values[property] = value;
  for (const [property, target] of referencesOf(resource))
    if (made.has(target) && !(property in values)) values[property] = rowName(resourceWithKey(resources, target));
  return values;
}

/** The reference to the parent, and those of properties. */
const referencesOf = ({ parent, properties }: ResourceDescriptor): readonly (readonly [string, string])[] => [
  ...(parent ? [[parent.property, parent.resource] as const] : []),
  ...properties.flatMap(({ name, references }) => (references ? [[name, references.resource] as const] : [])),
];

/** What rows have; a claim that a reference is compared with is the id of the row referred to. */
const meant = (facts: readonly RuleFact[], resources: readonly ResourceDescriptor[]) =>
  facts.map(({ resource: key, property, value }) => {
    if ('literal' in value) return { key, property, value: textOf(value.literal) };
    const resource = resourceWithKey(resources, key);
    const target = referencesOf(resource).find(([name]) => name === property)?.[1];
    const held = isSubject(value.claim) ? `$${OWNER}` : claimValue(propertyOf(resources, key, property), 1);
    return target === undefined ? { key, property, value: held } : { key: target, property: 'id', value: held };
  });

/** `$$5` is the text `$5`. */
const textOf = (literal: string | number | boolean): unknown =>
  typeof literal === 'string' && literal.startsWith('$') ? `$${literal}` : literal;

/** Other values than those that rules of the same resource ask for. */
function otherOf(
  { key, unique, properties }: ResourceDescriptor,
  facts: readonly RuleFact[],
  resources: readonly ResourceDescriptor[],
): Values | undefined {
  const references = new Set(properties.flatMap(({ name, references: some }) => (some ? [name] : [])));
  if (unique.some((names) => names.every((name) => references.has(name)))) return undefined;
  const found = facts.flatMap(({ resource, property, value, isOwn }) => {
    if (resource !== key || !isOwn || !('literal' in value)) return [];
    const other = otherValue(propertyOf(resources, key, property), value.literal);
    return other === undefined ? [] : [[property, other] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found.toReversed());
}

const otherValue = ({ type, enum: values }: PropertyDescriptor, value: unknown): unknown =>
  type === 'boolean' ? !value : values?.find((one) => one !== value);

/** An id is of one row. */
const withoutKeys = ({ unique }: ResourceDescriptor, { id: _, ...values }: Values): Values => {
  const alone = new Set(unique.flatMap((names) => (names.length === 1 ? names : [])));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !alone.has(name)));
};
