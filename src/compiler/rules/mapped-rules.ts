import {
  filterParameters,
  isHash,
  mappedColumns,
  offeredValues,
  pagingParameter,
  parameterSchema,
} from '../model/resources/index.ts';
import { idOf, yamlOf } from './id-rules.ts';
import { atKeyword, atParameter, atProperty, atPropertyKeyword, atResponse } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { propertiesWith, type ResourceProperty, theResources } from './subjects.ts';

type ResourceDraft = ResourceProperty['resource'];
type PropertyDraft = ResourceProperty['property'];

/** As identifiers of SQL are written without quotes; what ends with an underscore is the server's own. */
const PLAIN_COLUMN = /^[A-Za-z_](?:\w*[A-Za-z0-9])?$/;

const EXAMPLE = 'x-table: { schema: public, name: films }';

export const mappedRules = [
  rule({
    id: 'column-form',
    summary: 'A column has a form that its table allows.',
    advice: `A list and an object belong to schemas that stand for a table of others: \`${EXAMPLE}\`. There, only an id and a reference have several columns.`,
    each: propertiesWith('x-column'),
    *check({ resource, property }) {
      const value = property.flat.keywords.get('x-column')?.value;
      const name = `\`${resource.name}.${property.name}\``;
      const place = atPropertyKeyword(property, 'x-column');
      if (!resource.mapped) {
        if (typeof value === 'string' && PLAIN_COLUMN.test(value)) return;
        yield typeof value === 'string'
          ? {
              message: `The column \`${value}\` of ${name} is not a name of SQL that needs no quotation marks.`,
              hint: `Write letters, digits and underscores, such as \`x-column: born_on\`. A table of others, which has any names, is \`${EXAMPLE}\`.`,
              ...place,
            }
          : {
              message: `${name} has ${Array.isArray(value) ? 'several columns' : 'a column with a zone'}, but \`${resource.name}\` is stored in a table of Lockstep.`,
              hint: `Write one name, such as \`x-column: born_on\`, or map the schema: \`${EXAMPLE}\`.`,
              ...place,
            };
        return;
      }
      yield* formOfMapped(resource, property);
    },
  }),
  rule({
    id: 'column-shared',
    summary:
      'Plain properties of a mapped table have columns of their own, and each column of a composite id has a property.',
    advice: 'An id and references may share columns with other properties; two other properties may not.',
    each: theMapped,
    *check(resource) {
      const plain = propertiesOf(resource).filter(
        (one) => one.name !== 'id' && !isHash(one) && !isReference(one, resource),
      );
      for (const [column, [first, ...others]] of Map.groupBy(plain, (one) => columnsOf(one).join()))
        for (const property of first ? others : [])
          yield {
            message: `\`${resource.name}.${property.name}\` and \`${resource.name}.${first?.name}\` both have the column \`${column}\`.`,
            hint: 'Remove one of them, or name its column by `x-column`.',
            ...atPropertyKeyword(property, 'x-column'),
            also: first && atPropertyKeyword(first, 'x-column'),
          };
      yield* columnsOfId(resource);
    },
  }),
  rule({
    id: 'mapped-id',
    summary: 'A composite id is a text that is made from the row and that no input has.',
    advice: 'Its columns belong to properties that no patch has or that are `x-immutable`.',
    each: (draft) => theMapped(draft).filter(isComposite),
    *check(resource) {
      const { name, input, patch, operations } = resource;
      const id = idOf(resource);
      if (id.type !== 'string')
        yield {
          message: `\`${name}.id\` has several columns, so it is a text, and not ${yamlOf(id.flat)}.`,
          hint: 'Write `type: string` without a format.',
          ...atPropertyKeyword(id, 'type'),
        };
      for (const schema of [input, patch]) {
        const sent = schema?.properties.get('id');
        if (schema && sent)
          yield {
            message: `\`${schema.name}\` has the property \`id\`, which is made from other properties.`,
            hint: `Remove \`id\` from \`${schema.name}\`.`,
            ...atProperty(sent),
          };
      }
      const columns = mappedColumns(id).columns;
      for (const property of propertiesOf(resource)) {
        const sent = patch?.properties.get(property.name);
        const shared = columnsOf(property).filter((column) => columns.includes(column));
        if (
          sent &&
          property.name !== 'id' &&
          shared.length > 0 &&
          property.flat.keywords.get('x-immutable')?.value !== true
        )
          yield {
            message: `\`${patch?.name}.${property.name}\` would change the id of \`${name}\`, which has its column \`${shared[0]}\`.`,
            hint: `Remove \`${property.name}\` from \`${patch?.name}\`, and write \`x-immutable: true\` on \`${name}.${property.name}\`.`,
            ...atProperty(sent),
          };
      }
      const { replace } = operations;
      if (replace?.node.responses?.['201'] !== undefined)
        yield {
          message: `\`${replace.operationId}\` declares 201, but no \`PUT\` creates a row with a composite id.`,
          hint: "Remove the response `'201'`.",
          ...atResponse(replace, 201),
        };
    },
  }),
  rule({
    id: 'mapped-search',
    summary: 'Mapped resources have no `x-search`.',
    advice: 'It would need an index and a trigger on a table of others. Filter by `contains` instead.',
    each: theMapped,
    check: ({ name, schema: { flat } }) =>
      flat.keywords.has('x-search') && {
        message: `\`${name}\` is mapped, and \`x-search\` would put an index on its table.`,
        hint: 'Remove `x-search`, or filter by `contains`.',
        ...atKeyword(flat, 'x-search'),
      },
  }),
  rule({
    id: 'mapped-order',
    summary:
      'Lists of mapped resources compare a property of several columns with whole values, and sort by one that has a column.',
    advice: 'Filters of such a property have one value or a list. A version that is a hash has no column.',
    each: theMapped,
    *check(resource, { document }) {
      const { list } = resource.operations;
      if (!list) return;
      const hash = propertiesOf(resource).filter(isHash);
      const several = propertiesOf(resource).filter((one) => columnsOf(one).length > 1);
      for (const parameter of filterParameters(list, resource.schema)) {
        if (hash.some(({ name }) => name === parameter.name))
          yield {
            message: `\`${list.operationId}\` filters by the version of \`${resource.name}\`, which is a hash and has no column.`,
            hint: 'Remove the parameter.',
            ...atParameter(parameter),
          };
        const property = several.find(({ name }) => name === parameter.name);
        const other =
          property && [...parameterSchema(document, parameter).properties.keys()].find((key) => !WHOLE.has(key));
        if (property && other !== undefined)
          yield {
            message: `The filter \`${parameter.name}\` of \`${list.operationId}\` has \`${other}\`, but \`${resource.name}.${property.name}\` has several columns.`,
            hint: 'Use `eq` and `in` alone.',
            ...atParameter(parameter),
          };
      }
      const sort = pagingParameter(list, 'sort');
      if (!sort) return;
      for (const value of offeredValues(document, sort)) {
        const name = value.replace(/^-/, '');
        if (name !== 'id' && [...hash, ...several].some((one) => one.name === name))
          yield {
            message: `\`${list.operationId}\` sorts by \`${value}\`, but \`${resource.name}.${name}\` ${name === 'version' ? 'is a hash and has no column' : 'has several columns'}.`,
            hint: 'Sort by another property.',
            ...atParameter(sort),
          };
      }
    },
  }),
];

const WHOLE = new Set(['eq', 'in']);

function theMapped(draft: Parameters<typeof theResources>[0]): readonly ResourceDraft[] {
  return theResources(draft).filter(({ mapped }) => mapped);
}

const propertiesOf = ({ schema }: ResourceDraft): readonly PropertyDraft[] => [...schema.properties.values()];

const isComposite = (resource: ResourceDraft): boolean => columnsOf(idOf(resource)).length > 1;

/** The columns of a property of a mapped resource. */
export const columnsOf = (property: PropertyDraft): readonly string[] => mappedColumns(property).columns;

const isReference = (property: PropertyDraft, { parent }: ResourceDraft): boolean =>
  property.flat.keywords.has('x-references') || (parent?.resource !== undefined && parent.property === property.name);

function* formOfMapped(resource: ResourceDraft, property: PropertyDraft): Iterable<Fault> {
  const name = `\`${resource.name}.${property.name}\``;
  const place = atPropertyKeyword(property, 'x-column');
  const { columns, zone } = mappedColumns(property);
  if (isHash(property))
    yield {
      message: `${name} is a text, and so a hash of the row, but has a column.`,
      hint: 'Remove `x-column`, or write `type: integer` for a column that counts.',
      ...place,
    };
  if (zone !== undefined && property.type !== 'date-time')
    yield {
      message: `${name} has a zone, but is ${yamlOf(property.flat)}.`,
      hint: 'Write `type: string, format: date-time`, or the name of the column alone.',
      ...place,
    };
  if (columns.length > 1 && property.name !== 'id' && !isReference(property, resource))
    yield {
      message: `${name} has several columns, but is neither the id nor a reference.`,
      hint: 'Give each column a property, or write `x-references`.',
      ...place,
    };
}

/** A composite id is made from properties of its row. */
function* columnsOfId(resource: ResourceDraft): Iterable<Fault> {
  const id = idOf(resource);
  const { columns } = mappedColumns(id);
  if (columns.length < 2) return;
  const held = new Set(
    propertiesOf(resource)
      .filter((one) => one !== id && !isHash(one))
      .flatMap((one) => columnsOf(one)),
  );
  const missing = columns.filter((column) => !held.has(column));
  if (missing.length > 0)
    yield {
      message: `The id of \`${resource.name}\` has \`${missing.join('`, `')}\`, which no other property has.`,
      hint: `Add a property with \`x-column: ${missing[0]}\`.`,
      ...atPropertyKeyword(id, 'x-column'),
    };
}
