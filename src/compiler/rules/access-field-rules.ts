import { allOf } from '../findings/wording.ts';
import { covers } from '../model/access/covers.ts';
import { type RuledField, ruledFields } from '../model/access/ruled-resources.ts';
import type { ResourceDraft } from '../model/draft.ts';
import { initialValue, originOf } from '../model/resources/describe-property.ts';
import { uniqueSets } from '../model/resources/describe-resource.ts';
import { listDescriptor } from '../model/resources/list-parameters.ts';
import { atPropertyKeyword } from './place.ts';
import type { Check, Fault } from './rule.ts';

const nameOf = ({ resource, property }: RuledField): string => `${resource.name}.${property.name}`;

const at = ({ property }: RuledField): Pick<Fault, 'node' | 'key'> => atPropertyKeyword(property, 'x-access');

/** What a caller may not read is null for it. */
export const accessNullable: Check = function* ({ resources }) {
  for (const field of ruledFields(resources)) {
    if (!field.read.access?.read || field.property.flat.nullable) continue;
    yield {
      severity: 'error',
      message: `\`${nameOf(field)}\` is null for callers who may not read it, but its schema has no null.`,
      hint: "Add `'null'` to its `type`: `type: [integer, 'null']`. It may stay in `required`.",
      ...at(field),
    };
  }
};

/** What names rows, or orders every list, cannot be hidden; what nobody sends, nobody may write. */
export const accessField: Check = function* ({ document, resources }) {
  for (const field of ruledFields(resources)) {
    const { resource, property, read } = field;
    const use = read.access?.read && usesOf(document, resource).get(property.name);
    if (use !== undefined)
      yield {
        severity: 'error',
        message: `\`${nameOf(field)}\` has a rule of reading, but ${use}: whoever reads the row learns it.`,
        hint: 'Remove `read`, or use another property for that.',
        ...at(field),
      };
    if (!read.access?.write) continue;
    if (originOf(resource, property.name) !== 'input')
      yield {
        severity: 'error',
        message: `\`${nameOf(field)}\` has a rule of writing, but no input has it.`,
        hint: `Add it to \`${resource.input?.name ?? `${resource.name}Input`}\`, or remove \`write\`.`,
        ...at(field),
      };
    else if (initialValue(resource, property) !== undefined && !property.flat.keywords.has('x-transitions'))
      yield {
        severity: 'error',
        message: `\`${nameOf(field)}\` has a rule of writing and a default, which a caller that leaves it out would write.`,
        hint: 'Remove `default`.',
        ...at(field),
      };
    else if (resource.input?.properties.get(property.name)?.required)
      yield {
        severity: 'warning',
        message: `\`${nameOf(field)}\` is required in \`${resource.input.name}\`: who may not write it creates nothing.`,
        hint: 'Take it out of `required` of the input, or accept it.',
        ...at(field),
      };
  }
};

/** What makes a property known to all who read a row, by its name. */
function usesOf(document: Parameters<typeof listDescriptor>[0], resource: ResourceDraft): ReadonlyMap<string, string> {
  const { keyProperty, lookups, parent, operations, schema } = resource;
  const list = operations.list && listDescriptor(document, operations.list, schema);
  const sorts = list?.sorts.filter(({ value }) => list.defaultSort.includes(value)) ?? [];
  return new Map([
    ...sorts.map(({ property }) => [property, 'lists are ordered by it where nobody asks for another order'] as const),
    ...lookups.map(({ property }) => [property, 'rows are looked up by it'] as const),
    ...(keyProperty === undefined ? [] : [[keyProperty, 'paths name rows by it'] as const]),
    ...(parent ? [[parent.property, 'paths have it'] as const] : []),
    ['id', 'rows are named by it'],
    ['version', 'entity tags have it'],
  ]);
}

/** A conflict over a value tells that another row has it. */
export const accessFieldKey: Check = function* ({ resources }) {
  for (const field of ruledFields(resources)) {
    const { resource, property, read } = field;
    const { read: readers, write: writers = [{}] } = read.access ?? {};
    if (!readers) continue;
    const keys = uniqueSets(resource).filter((names) => names.includes(property.name));
    const everywhere = readers.filter(({ where }) => where === undefined);
    if (keys.length === 0 || writers.every((writer) => everywhere.some((reader) => covers(reader, writer)))) continue;
    yield {
      severity: 'warning',
      message: `The unique key ${allOf(keys[0]!)} of \`${resource.name}\` answers 409 to callers who may write \`${property.name}\` and not read it on every row, which tells that another row has the value.`,
      hint: 'Let only those write it who read it on every row, by a scope, or accept it.',
      ...at(field),
    };
  }
};
