import { FILTER_PARAMETER } from '../../descriptor/filters.ts';
import type { AccessAlternative } from '../../descriptor/row-access.ts';
import { allOf } from '../findings/wording.ts';
import { constantOf, readsClaims } from '../model/access/constant.ts';
import { constantFindings } from '../model/access/constant-findings.ts';
import { covers } from '../model/access/covers.ts';
import type { PlacedAlternative } from '../model/access/read-access.ts';
import { CONDITION_WORDS } from '../model/access/read-condition.ts';
import { inverseName, type Reference, referenceName, referencesOf } from '../model/access/relations.ts';
import { presenceIn, type RuledResource, ruledFields, ruledResources } from '../model/access/ruled-resources.ts';
import { isServed } from '../model/access/unserved.ts';
import type { OperationDraft, ResourceDraft } from '../model/draft.ts';
import { operationsOf } from '../model/draft.ts';
import { offersConditions } from '../model/filters/offered-filters.ts';
import { originOf } from '../model/resources/describe-property.ts';
import { uniqueSets } from '../model/resources/describe-resource.ts';
import { throughsReading } from '../model/resources/throughs-reading.ts';
import { atOperation, atProperty, atPropertyKeyword } from './place.ts';
import { propertiesWith } from './reference-rules.ts';
import type { Check, Fault } from './rule.ts';

/** A rule that holds for everybody, or for nobody, says something else than it was meant to. */
export const accessConstant: Check = function* ({ resources }) {
  const isPresent = presenceIn(resources);
  for (const ruled of [...ruledResources(resources), ...ruledFields(resources)]) {
    const { resource, read, node } = ruled;
    for (const found of constantFindings(read, resource.key, isPresent)) yield { severity: 'warning', ...found };
    const name = 'property' in ruled ? `${resource.name}.${ruled.property.name}` : resource.name;
    for (const [action, alternatives] of Object.entries(read.access ?? {}))
      if (alternatives.length === 0)
        yield {
          severity: 'warning',
          message: `\`${action}\` of \`${name}\` has no alternative: it is allowed to nobody.`,
          hint: `Write an alternative, or remove the ${'property' in ruled ? 'property' : 'operations'}.`,
          node: (node as { readonly 'x-access': object })['x-access'],
          key: action,
        };
  }
};

/** An operation that reads no credentials has no claims or scopes to judge by. */
export const accessAnonymous: Check = function* ({ resources }) {
  for (const { resource, read } of ruledResources(resources))
    for (const [action, operation] of [...actionsOf(resource), ...listsThrough(resources, resource)]) {
      const rules = read.alternatives.filter((one) => one.action === action);
      if (operation.access.anyOf.length > 0 || !rules.some(needsToken)) continue;
      yield {
        severity: 'warning',
        message: `\`${operation.operationId}\` reads no credentials, so that no caller has the claims and scopes that \`x-access\` of \`${resource.name}\` asks for.`,
        hint: 'Write `security: [{}, { bearer: [] }]`, with the name of your scheme, for callers with and without a token.',
        ...atOperation(operation, 'security'),
      };
    }
};

const needsToken = ({ scope, where }: PlacedAlternative): boolean =>
  scope !== undefined || (where !== undefined && readsClaims(where));

const ACTION_OF = {
  list: 'read',
  get: 'read',
  create: 'create',
  replace: 'update',
  update: 'update',
  delete: 'delete',
};

function actionsOf({ operations }: ResourceDraft): readonly (readonly [string, OperationDraft])[] {
  return Object.entries(operations).map(([action, operation]) => [
    ACTION_OF[action as keyof typeof ACTION_OF],
    operation,
  ]);
}

const listsThrough = (resources: readonly ResourceDraft[], resource: ResourceDraft) =>
  throughsReading(resources, resource).map((operation) => ['read', operation] as const);

/** What a caller may read is found by indexes. */
export const accessIndex: Check = function* ({ resources }) {
  const isPresent = presenceIn(resources);
  for (const { resource, read } of ruledResources(resources)) {
    if (!resource.operations.list) continue;
    for (const { action, where, place } of read.alternatives) {
      if (action !== 'read' || where === undefined || isServed(where)) continue;
      if (constantOf(where, resource.key, isPresent) !== undefined) continue;
      const node = (place.node as Readonly<Record<string | number, object>>)[place.key!]!;
      yield {
        severity: 'warning',
        message: `No index finds the rows of \`${resource.name}\` for which this holds: lists read the whole table, about a second for a million rows.`,
        hint: 'Add a condition that an index serves: an equality, `in`, a range, or one of them behind a reference.',
        node,
        key: 'where',
      };
    }
  }
};

/** Words of conditions are not names of what conditions compare, in rules and in filters. */
export const accessWord: Check = function* ({ resources }) {
  const isFiltered = offersConditions(resources);
  if (ruledResources(resources).length + ruledFields(resources).length === 0 && !isFiltered) return;
  const words = isFiltered ? [...CONDITION_WORDS, FILTER_PARAMETER] : CONDITION_WORDS;
  const references = referencesOf(resources);
  for (const resource of resources)
    for (const property of resource.schema.properties.values()) {
      const reference = references.find((one) => one.from === resource && one.property === property);
      const names = [
        property.name,
        reference && referenceName(resource, property.name),
        reference && inverseName(reference),
      ];
      const word = names.find((name) => name !== undefined && words.includes(name));
      if (word === undefined) continue;
      yield {
        severity: 'error',
        message: `\`${resource.name}.${property.name}\` gives conditions the name \`${word}\`, which is a word of their language.`,
        hint: `Choose another name. These are words: ${allOf(words)}.`,
        ...atProperty(property),
      };
    }
};

/** `x-inverse` is on a reference, and is no other name of the resource that it is on. */
export const inverseNameRule: Check = function* ({ resources }) {
  const references = referencesOf(resources);
  for (const { resource, property } of propertiesWith(resources, 'x-inverse')) {
    const reference = references.find((one) => one.from === resource && one.property === property);
    const taken = reference && takenBy(reference, references);
    if (reference && taken === undefined) continue;
    const name = `${resource.name}.${property.name}`;
    yield {
      severity: 'error',
      message: reference
        ? `The inverse \`${inverseName(reference)}\` of \`${name}\` is ${taken} already.`
        : `\`${name}\` has \`x-inverse\`, but is not a reference.`,
      hint: reference
        ? 'Choose another name.'
        : 'Add `x-references` with the name of a resource, or remove `x-inverse`.',
      ...atPropertyKeyword(property, 'x-inverse'),
    };
  }
};

/** What has the name of an inverse in the resource that the reference goes to. */
function takenBy(reference: Reference, references: readonly Reference[]): string | undefined {
  const name = inverseName(reference)!;
  const { target } = reference;
  if (target.schema.properties.has(name)) return `a property of \`${target.name}\``;
  const own = references.find((one) => one.from === target && referenceName(target, one.property.name) === name);
  if (own) return `the reference \`${target.name}.${own.property.name}\``;
  const others = references.filter((one) => one.target === target && inverseName(one) === name);
  const other = others.find((one) => one !== reference);
  return other && `the inverse of \`${other.from.name}.${other.property.name}\``;
}

/** A conflict with a hidden row tells that it is there. */
export const accessHiddenKey: Check = function* ({ resources }) {
  for (const ruled of ruledResources(resources)) {
    if (ruled.read.access?.read === undefined || !writesRows(ruled.resource) || writersReadAll(ruled)) continue;
    yield* hiddenKeys(ruled);
  }
};

const writesRows = (resource: ResourceDraft): boolean => operationsOf(resource).some(({ method }) => method !== 'get');

/** Whether only those who read every row may create and change rows, so that no conflict tells them anything new. */
function writersReadAll({ resource: { operations }, read: { access } }: RuledResource): boolean {
  const everywhere = access!.read!.filter(({ where }) => where === undefined);
  const onlyReaders = (writers: readonly AccessAlternative[] | undefined): boolean =>
    writers?.every((writer) => everywhere.some((reader) => covers(reader, writer))) === true;
  const [creates, changes] = [operations.create ?? operations.replace, operations.update ?? operations.replace];
  return (!creates || onlyReaders(access!.create)) && (!changes || onlyReaders(access!.update));
}

function* hiddenKeys({ resource, read }: RuledResource): Iterable<Fault> {
  const place = read.alternatives.find(({ action }) => action === 'read')?.place;
  if (!place) return;
  const fault = (what: string, hint: string): Fault => ({
    severity: 'warning',
    message: `${what} of \`${resource.name}\` answers 409 for rows that the caller may not read, too, which tells that they are there.`,
    hint,
    ...placeOfAccess(resource),
  });
  for (const names of uniqueSets(resource))
    if (!names.some((name) => isNarrowed(read.alternatives, name)))
      yield fault(
        `The unique key ${allOf(names)}`,
        'Add a property to the key that the rule compares with a claim, or accept it.',
      );
  if (originOf(resource, 'id') === 'input') yield fault('The id', 'Let the server make the ids, or accept it.');
}

function placeOfAccess({ schema }: ResourceDraft): Pick<Fault, 'node' | 'key'> {
  return { node: schema.flat.keywords.get('x-access')!.node, key: 'x-access' };
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
