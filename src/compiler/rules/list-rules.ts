import { suggestion } from '../findings/wording.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { propertyType, typeName, valueTypes } from '../json-schema/property-type.ts';
import {
  defaultSort,
  isCommaSeparated,
  itemSchema,
  offeredValues,
  pagingParameter,
  parameterSchema,
  sortDescriptor,
} from '../model/resources/list-parameters.ts';
import { atKeyword, atOperation, atParameter } from './place.ts';
import { rule } from './rule.ts';
import { listsWith, theLists } from './subjects.ts';

const UNSORTABLE = ['decimal', 'json'];

export const listRules = [
  rule({
    id: 'list-paging',
    summary: 'A list has `limit` and `cursor`.',
    advice: 'Without them, one request would return all rows.',
    each: theLists,
    check: ({ list }) =>
      Object.entries(DECLARATIONS)
        .filter(([name]) => !pagingParameter(list, name))
        .map(([name, declaration]) => ({
          message: `\`${list.operationId}\` has no \`${name}\` parameter, so it cannot be paged.`,
          hint: `Add \`${declaration}\`.`,
          ...atOperation(list, 'parameters'),
        })),
  }),
  rule({
    id: 'list-parameter-type',
    summary: '`limit` is a bounded integer, `cursor` a string, `count` a boolean.',
    advice:
      'Give `limit` a `minimum` of at least 1, a `maximum`, and a default between them. The server reads and creates cursors.',
    each: (draft) => Object.keys(TYPES).flatMap((name) => listsWith(name)(draft)),
    check({ list, parameter }, { document }) {
      const { name } = parameter;
      const schema = parameterSchema(document, parameter);
      const of = `\`${name}\` of \`${list.operationId}\``;
      const place = atParameter(parameter, 'schema');
      if (name === 'limit')
        return (
          !isLimit(schema) && {
            message: `${of} must be an integer with a \`minimum\` of at least 1, a \`maximum\`, and a default between them.`,
            hint: 'Write `schema: { type: integer, minimum: 1, maximum: 100, default: 20 }`.',
            ...place,
          }
        );
      return (
        valueTypes(schema).join() !== TYPES[name] && {
          message: `${of} is ${typeName(schema)}, not ${TYPES[name]}.`,
          hint: `Write \`schema: { type: ${TYPES[name]} }\`.`,
          ...place,
        }
      );
    },
  }),
  rule({
    id: 'sort-shape',
    summary: '`sort` is a comma-separated list of enum values, and so is its default.',
    advice:
      "Write an array of an enum with `explode: false`. If the default is not among the enum's values, add it or choose another.",
    each: listsWith('sort'),
    *check({ list, parameter: sort }, { document }) {
      const schema = parameterSchema(document, sort);
      const isArray = valueTypes(schema).join() === 'array';
      const values = offeredValues(document, sort);
      if (!isArray || !isCommaSeparated(sort) || values.length === 0)
        yield {
          message: `\`sort\` of \`${list.operationId}\` is not a comma-separated array of an enum.`,
          hint: 'Write `{ name: sort, in: query, explode: false, schema: { type: array, items: { type: string, enum: [name, -name] } } }`.',
          ...atParameter(sort, isArray && Object.hasOwn(sort, 'explode') ? 'explode' : 'schema'),
        };
      for (const value of values.length > 0 ? defaultSort(document, sort) : [])
        if (!values.includes(value))
          yield {
            message: `The default order of \`${list.operationId}\` contains \`${value}\`, which its enum does not list.`,
            hint: suggestion(value, values),
            ...atKeyword(schema, 'default'),
          };
    },
  }),
  rule({
    id: 'sort-property',
    summary: 'A list is sorted by properties that have the same order in every database.',
    advice: 'Decimals and JSON do not. Each value is the name of a property, with `-` for descending.',
    each: listsWith('sort'),
    *check({ resource, parameter: sort }, { document }) {
      const { properties } = resource.schema;
      const sortable = [...properties.values()].filter(({ type }) => !UNSORTABLE.includes(type));
      for (const value of offeredValues(document, sort)) {
        const name = sortDescriptor(value).property;
        const property = properties.get(name);
        if (property && sortable.includes(property)) continue;
        const why = property
          ? `\`${resource.name}.${name}\`, which is ${typeName(property.flat)} and cannot be sorted`
          : `\`${name}\`, which is not a property of \`${resource.name}\``;
        const names = sortable.map((one) => one.name);
        yield {
          message: `The sort value \`${value}\` names ${why}.`,
          hint: suggestion(name, names),
          ...atKeyword(itemSchema(document, parameterSchema(document, sort)), 'enum'),
        };
      }
    },
  }),
];

const DECLARATIONS: Readonly<Record<string, string>> = {
  limit: '{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }',
  cursor: '{ name: cursor, in: query, schema: { type: string } }',
};

const TYPES: Readonly<Record<string, string>> = { limit: 'integer', cursor: 'string', count: 'boolean' };

function isLimit(schema: FlatSchema): boolean {
  const bound = (keyword: string): number => Number(schema.keywords.get(keyword)?.value);
  const [minimum, maximum] = [bound('minimum'), bound('maximum')];
  const isBounded = propertyType(schema) === 'integer' && minimum >= 1 && maximum >= minimum;
  const hasDefault = schema.keywords.has('default');
  return isBounded && (!hasDefault || (bound('default') >= minimum && bound('default') <= maximum));
}
