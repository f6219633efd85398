import type { AccessAlternative } from '../../descriptor/row-access.ts';
import type { Place } from '../findings/finding.ts';
import { allOf } from '../findings/wording.ts';
import { covers } from '../model/access/covers.ts';
import type { PlacedAlternative } from '../model/access/read-access.ts';
import { referencesOf } from '../model/access/relations.ts';
import { type RuledField, type RuledResource, ruledFields, ruledResources } from '../model/access/ruled-resources.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import { type ContractDraft, operationsOf, type ResourceDraft } from '../model/draft.ts';
import { extensionOf, originOf } from '../model/resources/describe-property.ts';
import { uniqueSets } from '../model/resources/object-draft.ts';
import { atKeyword, atPropertyKeyword } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { theDraft } from './subjects.ts';
import { isOfTenants } from './tenant-rules.ts';

export const hiddenKeyRules = [
  rule({
    id: 'access-hidden-key',
    summary: 'Unique keys and ids that callers choose do not reveal hidden rows and values.',
    advice:
      'A conflict is 409 whether or not the caller may read the other row. Add to the key the property that the rule compares, or the id of a row of the tenant. Alternatively, permit writes only to callers that read every row.',
    severity: 'warning',
    each: theDraft,
    *check(draft) {
      const { resources } = draft;
      for (const ruled of ruledResources(resources)) yield* keysOfRows(ruled);
      for (const field of ruledFields(resources)) yield* keysOfValues(field);
      yield* keysOfTenants(draft);
    },
  }),
];

const onlyReaders = (
  writers: readonly AccessAlternative[] | undefined,
  readers: readonly AccessAlternative[],
): boolean => {
  const everywhere = readers.filter(({ where }) => where === undefined);
  return writers?.every((writer) => everywhere.some((reader) => covers(reader, writer))) === true;
};

/** A conflict with a hidden row shows that it is there. */
function* keysOfRows({ resource, read: { access, alternatives } }: RuledResource): Iterable<Fault> {
  const { operations, schema, name } = resource;
  const [creates, changes] = [operations.create ?? operations.replace, operations.update ?? operations.replace];
  const isWritten = operationsOf(resource).some(({ method }) => method !== 'get');
  const reads = access?.read;
  if (!reads || !isWritten || !alternatives.some(({ action }) => action === 'read')) return;
  if ((!creates || onlyReaders(access.create, reads)) && (!changes || onlyReaders(access.update, reads))) return;
  const fault = (what: string, hint: string): Fault => ({
    message: `${what} of \`${name}\` returns 409 also for rows that the caller may not read, and so reveals that they exist.`,
    hint,
    ...atKeyword(schema.flat, 'x-access'),
  });
  for (const names of uniqueSets(resource))
    if (!names.some((one) => isNarrowed(alternatives, one)))
      yield fault(
        `The unique key ${allOf(names)}`,
        'Add a property to the key that the rule compares with a claim, or accept it.',
      );
  if (originOf(resource, 'id') === 'input') yield fault('The id', 'Let the server make the ids, or accept it.');
}

/** Whether all conditions of reading compare a property with a claim, so that a key that has it is the caller's own. */
function isNarrowed(alternatives: readonly PlacedAlternative[], property: string): boolean {
  const conditions = alternatives.flatMap(({ action, where }) => (action === 'read' && where ? [where] : []));
  return (
    conditions.length > 0 &&
    conditions.every((where) => {
      const parts = where.kind === 'all' ? where.conditions : [where];
      return parts.some((one) => one.kind === 'compare' && one.property === property && 'claim' in one.value);
    })
  );
}

/** A conflict over a value shows that another row has it. */
function* keysOfValues({ resource, property, read }: RuledField): Iterable<Fault> {
  const { read: readers, write: writers = [{}] } = read.access ?? {};
  const key = uniqueSets(resource).find((names) => names.includes(property.name));
  if (!readers || !key || onlyReaders(writers, readers)) return;
  yield {
    message: `The unique key ${allOf(key)} of \`${resource.name}\` returns 409 to callers that may write \`${property.name}\` without reading it on every row, and so reveals the values of other rows.`,
    hint: 'Let only those write it who read it on every row, by a scope, or accept it.',
    ...atPropertyKeyword(property, 'x-access'),
  };
}

/** A key of rows that have no tenant of their own holds over all tenants, unless it has the id of a row of one. */
function* keysOfTenants({ document, resources }: ContractDraft): Iterable<Fault> {
  const tenant = declaredTenant(document);
  if (!tenant) return;
  const references = referencesOf(resources).filter(({ target }) => isOfTenants(target, tenant));
  for (const resource of resources) {
    const { parent, schema } = resource;
    if (!parent || schema.properties.has(tenant.property) || !isOfTenants(resource, tenant)) continue;
    const narrowing = references.filter(({ from }) => from === resource).map(({ property }) => property.name);
    for (const names of uniqueSets(resource)) {
      if ([parent.property, ...narrowing].some((name) => names.includes(name))) continue;
      yield {
        message: `The unique key ${allOf(names)} of \`${resource.name}\` spans all tenants: a value of one tenant is 409 for the others, and so revealed.`,
        hint: `Add \`${parent.property}\` to the key, or \`${tenant.property}\` to \`${resource.name}\`.`,
        ...placeOfKey(resource, names),
      };
    }
  }
}

function placeOfKey({ schema }: ResourceDraft, [name = '', ...more]: readonly string[]): Place {
  const property = schema.properties.get(name);
  const isOwn = more.length === 0 && property && extensionOf(property, 'x-unique') === true;
  return isOwn || (property && !schema.flat.keywords.has('x-unique'))
    ? atPropertyKeyword(property, 'x-unique')
    : atKeyword(schema.flat, 'x-unique');
}
