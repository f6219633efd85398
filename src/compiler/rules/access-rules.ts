import type { OpenApiDocument } from '../../descriptor/document.ts';
import { FILTER_PARAMETER } from '../../descriptor/filters.ts';
import { furtherPaths } from '../../descriptor/resource.ts';
import { allOf, hintText } from '../findings/wording.ts';
import { constantOf } from '../model/access/constant.ts';
import { constantFindings } from '../model/access/constant-findings.ts';
import { readAccess } from '../model/access/read-access.ts';
import { CONDITION_WORDS } from '../model/access/read-condition.ts';
import { inverseName, referenceName, referencesOf } from '../model/access/relations.ts';
import { presenceIn, ruledFields, ruledResources } from '../model/access/ruled-resources.ts';
import type { ContractDraft, ResourceDraft } from '../model/draft.ts';
import { offersConditions } from '../model/filters/offered-filters.ts';
import { initialValue, originOf } from '../model/resources/describe-property.ts';
import { listDescriptor } from '../model/resources/list-parameters.ts';
import { atProperty, atPropertyKeyword } from './place.ts';
import { rule } from './rule.ts';
import { propertiesWith } from './subjects.ts';
import { isServed } from './unserved.ts';

/** What reading `x-access` finds broken. */
const READING = [
  {
    id: 'access-shape',
    summary:
      '`x-access` has the actions `read`, `create`, `update` and `delete`, on a property `read` and `write`, each with a list of alternatives.',
    advice:
      'An alternative has `scope`, `where` or both. `x-access` is on the schema of a resource, or on one of its properties.',
  },
  {
    id: 'access-name',
    summary: 'Conditions name properties, references and inverses that exist.',
    advice: 'A reference is named by its property without `Id`, an inverse by `x-inverse` beside `x-references`.',
  },
  {
    id: 'access-operator',
    summary: 'The operators of conditions apply to the types of the properties.',
    advice:
      'Texts, numbers, dates and ids have an order; `contains` is for texts. Objects and lists have only `isNull`.',
  },
  {
    id: 'access-value',
    summary: 'Conditions compare with values of the type of the property, or with claims.',
    advice: 'A claim is `$claims.path.to.it`; a text that begins with `$` is written `$$`.',
  },
];

export const accessRules = [
  ...READING.map((kind) =>
    rule({
      ...kind,
      each: readingFaults,
      check: ({ rule: id, hint, ...fault }) => id === kind.id && { ...fault, hint: hintText(hint) },
    }),
  ),
  rule({
    id: 'access-word',
    summary: 'No property, reference or inverse has the name of an operator of conditions.',
    advice: '`in` could be the operator or the property. Rename the property.',
    each({ resources }) {
      const isFiltered = offersConditions(resources);
      const isRuled = ruledResources(resources).length + ruledFields(resources).length > 0;
      const words = isFiltered ? [...CONDITION_WORDS, FILTER_PARAMETER] : CONDITION_WORDS;
      const references = new Map(referencesOf(resources).map((one) => [one.property, one]));
      return (isRuled || isFiltered ? propertiesWith()({ resources }) : []).map((one) => ({
        ...one,
        words,
        reference: references.get(one.property),
      }));
    },
    check({ resource, property, words, reference }) {
      const names = [
        property.name,
        reference && referenceName(resource, property.name),
        reference && inverseName(reference),
      ];
      const word = names.find((name) => name !== undefined && words.includes(name));
      return (
        word !== undefined && {
          message: `\`${resource.name}.${property.name}\` gives conditions the name \`${word}\`, which is a word of their language.`,
          hint: `Choose another name. These are words: ${allOf(words)}.`,
          ...atProperty(property),
        }
      );
    },
  }),
  rule({
    id: 'access-constant',
    summary: 'Every part of a rule depends on the row or on the caller.',
    advice:
      'A part that always holds admits every caller, however narrow the rest is. A part that never holds admits none.',
    severity: 'warning',
    each: ({ resources }) => [...ruledResources(resources), ...ruledFields(resources)],
    *check(ruled, { resources }) {
      const { resource, read, node } = ruled;
      yield* constantFindings(read, resource.key, presenceIn(resources));
      const name = 'property' in ruled ? `${resource.name}.${ruled.property.name}` : resource.name;
      for (const [action, alternatives] of Object.entries(read.access ?? {}))
        if (alternatives.length === 0)
          yield {
            message: `\`${action}\` of \`${name}\` has no alternative, so no caller may do it.`,
            hint: `Write an alternative, or remove the ${'property' in ruled ? 'property' : 'operations'}.`,
            node: (node as { readonly 'x-access': object })['x-access'],
            key: action,
          };
    },
  }),
  rule({
    id: 'access-index',
    summary: 'Indexes find the rows that a caller may read.',
    advice: 'With a condition that is only negated, or that searches part of a text, each list reads the whole table.',
    severity: 'warning',
    each: ({ resources }) => ruledResources(resources).filter(({ resource }) => resource.operations.list),
    *check({ resource, read }, { resources }) {
      const isPresent = presenceIn(resources);
      for (const { action, where, node } of read.alternatives) {
        if (action !== 'read' || where === undefined || isServed(where)) continue;
        if (constantOf(where, resource.key, isPresent) === undefined)
          yield {
            message: `No index finds the rows of \`${resource.name}\` for which this holds: lists read the whole table, about a second for a million rows.`,
            hint: 'Add a condition that an index serves: an equality, `in`, a range, or one of them behind a reference.',
            node,
            key: 'where',
          };
      }
    },
  }),
  rule({
    id: 'access-nullable',
    summary: 'Properties with a read rule are nullable.',
    advice: 'They are null in both protocols for callers that may not read them. Required properties stay required.',
    each: ({ resources }) => ruledFields(resources),
    check: ({ resource, property, read }) =>
      read.access?.read !== undefined &&
      !property.flat.nullable && {
        message: `\`${resource.name}.${property.name}\` is null for callers that may not read it, but its schema does not accept null.`,
        hint: "Add `'null'` to its `type`: `type: [integer, 'null']`. It may stay in `required`.",
        ...atPropertyKeyword(property, 'x-access'),
      },
  }),
  rule({
    id: 'access-field',
    summary: 'Rules of properties are on properties that can be hidden, or that callers send.',
    advice:
      'Callers that read the row always learn its keys and its sort properties. A property with a default would be written by callers that omit it.',
    each: ({ resources }) => ruledFields(resources),
    *check({ resource, property, read }, { document }) {
      const name = `\`${resource.name}.${property.name}\``;
      const place = atPropertyKeyword(property, 'x-access');
      const use = read.access?.read && usesOf(document, resource).get(property.name);
      if (use !== undefined)
        yield {
          message: `${name} has a read rule, but ${use}: every caller that reads the row learns it.`,
          hint: 'Remove `read`, or use another property for that.',
          ...place,
        };
      if (!read.access?.write) return;
      const { input } = resource;
      if (originOf(resource, property.name) !== 'input')
        yield {
          message: `${name} has a rule of writing, but no input has it.`,
          hint: `Add it to \`${input?.name ?? `${resource.name}Input`}\`, or remove \`write\`.`,
          ...place,
        };
      else if (initialValue(resource, property) !== undefined && !property.flat.keywords.has('x-transitions'))
        yield {
          message: `${name} has a rule of writing and a default, which a caller that leaves it out would write.`,
          hint: 'Remove `default`.',
          ...place,
        };
      else if (input?.properties.get(property.name)?.required)
        yield {
          severity: 'warning',
          message: `${name} is required in \`${input.name}\`: who may not write it creates nothing.`,
          hint: 'Remove it from `required` of the input, or accept it.',
          ...place,
        };
    },
  }),
];

function* readingFaults({ resources }: ContractDraft) {
  const references = referencesOf(resources);
  for (const resource of resources) yield* readAccess(resource, references).faults;
  for (const { read } of ruledFields(resources)) yield* read.faults;
}

/** What makes a property known to all who read a row, by its name. */
function usesOf(document: OpenApiDocument, resource: ResourceDraft): ReadonlyMap<string, string> {
  const { keyProperty, parent, operations, schema } = resource;
  const list = operations.list && listDescriptor(document, operations.list, schema);
  const sorts = list?.sorts.filter(({ value }) => list.defaultSort.includes(value)) ?? [];
  return new Map([
    ...sorts.map(({ property }) => [property, 'lists are sorted by it by default'] as const),
    ...furtherPaths(resource).map(({ property }) => [property, 'rows are looked up by it'] as const),
    ...(keyProperty === undefined ? [] : [[keyProperty, 'paths name rows by it'] as const]),
    ...(parent ? [[parent.property, 'paths have it'] as const] : []),
    ['id', 'rows are named by it'],
    ['version', 'entity tags have it'],
  ]);
}
