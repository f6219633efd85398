import type { Parameter } from '../../descriptor/document.ts';
import { suggestion } from '../findings/wording.ts';
import { propertyType, typeName, valueTypes } from '../json-schema/property-type.ts';
import type { ResourceDraft } from '../model/draft.ts';
import {
  defaultSort,
  itemSchema,
  pagingParameter,
  parameterSchema,
  sortDescriptor,
  sortValues,
} from '../model/resources/list-parameters.ts';
import { atKeyword, atOperation, atParameter } from './place.ts';
import type { Check } from './rule.ts';

const UNSORTABLE = ['decimal', 'json'];
const DECLARATIONS: Readonly<Record<string, string>> = {
  limit: '{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }',
  cursor: '{ name: cursor, in: query, schema: { type: string } }',
};

/** A list has the parameters for paging. */
export const listPaging: Check = function* ({ resources }) {
  for (const { operations } of resources) {
    for (const name of Object.keys(DECLARATIONS)) {
      if (operations.list === undefined || pagingParameter(operations.list, name) !== undefined) continue;
      yield {
        severity: 'error',
        message: `\`${operations.list.operationId}\` has no \`${name}\` parameter, so it cannot be paged.`,
        hint: `Add \`${DECLARATIONS[name]}\`.`,
        ...atOperation(operations.list, 'parameters'),
      };
    }
  }
};

/** `limit` is an integer with a maximum. */
export const listLimit: Check = function* ({ document, resources }) {
  for (const { operations } of resources) {
    const limit = operations.list && pagingParameter(operations.list, 'limit');
    if (limit === undefined) continue;
    const schema = parameterSchema(document, limit);
    const bound = (keyword: string) => schema.keywords.get(keyword)?.value;
    const [minimum, maximum, initial] = [bound('minimum'), bound('maximum'), bound('default')].map(Number);
    const sound = propertyType(schema) === 'integer' && minimum! >= 1 && maximum! >= minimum!;
    if (sound && (bound('default') === undefined || (initial! >= minimum! && initial! <= maximum!))) continue;
    yield {
      severity: 'error',
      message: `\`limit\` of \`${operations.list!.operationId}\` must be an integer with a \`minimum\` of at least 1, a \`maximum\`, and a default between them.`,
      hint: 'Write `schema: { type: integer, minimum: 1, maximum: 100, default: 20 }`.',
      ...atParameter(limit, 'schema'),
    };
  }
};

/** `cursor` is a string, `count` a boolean. */
export const listParameterType: Check = function* ({ document, resources }) {
  for (const { operations } of resources) {
    for (const [name, type] of [
      ['cursor', 'string'],
      ['count', 'boolean'],
    ] as const) {
      const parameter = operations.list && pagingParameter(operations.list, name);
      if (parameter === undefined || valueTypes(parameterSchema(document, parameter)).join() === type) continue;
      yield {
        severity: 'error',
        message: `\`${name}\` of \`${operations.list!.operationId}\` is ${typeName(parameterSchema(document, parameter))}, not ${type}.`,
        hint: `Write \`schema: { type: ${type} }\`.`,
        ...atParameter(parameter, 'schema'),
      };
    }
  }
};

/** `sort` is a comma-separated list of enum values. */
export const sortShape: Check = function* ({ document, resources }) {
  for (const { list, sort } of sorts(resources)) {
    const isArray = valueTypes(parameterSchema(document, sort)).join() === 'array';
    if (isArray && isCommaSeparated(sort) && sortValues(document, sort).length > 0) continue;
    yield {
      severity: 'error',
      message: `\`sort\` of \`${list.operationId}\` is not a comma-separated array of an enum.`,
      hint: 'Write `{ name: sort, in: query, explode: false, schema: { type: array, items: { type: string, enum: [name, -name] } } }`.',
      ...atParameter(sort, isArray && Object.hasOwn(sort, 'explode') ? 'explode' : 'schema'),
    };
  }
};

/** A list is sorted by properties that have the same order in every database. */
export const sortProperty: Check = function* ({ document, resources }) {
  for (const { resource, sort } of sorts(resources)) {
    const place = atKeyword(itemSchema(document, parameterSchema(document, sort)), 'enum');
    const sortable = [...resource.schema.properties.values()].filter(({ type }) => !UNSORTABLE.includes(type));
    for (const value of sortValues(document, sort)) {
      const name = sortDescriptor(value).property;
      const property = resource.schema.properties.get(name);
      if (property !== undefined && sortable.includes(property)) continue;
      yield {
        severity: 'error',
        message:
          property === undefined
            ? `The sort value \`${value}\` names \`${name}\`, which is not a property of \`${resource.name}\`.`
            : `The sort value \`${value}\` names \`${resource.name}.${name}\`, which is ${typeName(property.flat)} and cannot be sorted.`,
        hint: suggestion(
          name,
          sortable.map((one) => one.name),
        ),
        ...place,
      };
    }
  }
};

/** The default order consists of values of the enum. */
export const sortDefault: Check = function* ({ document, resources }) {
  for (const { list, sort } of sorts(resources)) {
    const values = sortValues(document, sort);
    for (const value of defaultSort(document, sort)) {
      if (values.length === 0 || values.includes(value)) continue;
      yield {
        severity: 'error',
        message: `The default order of \`${list.operationId}\` contains \`${value}\`, which its enum does not list.`,
        hint: suggestion(value, values),
        ...atKeyword(parameterSchema(document, sort), 'default'),
      };
    }
  }
};

/** Comma-separated: `style: form` without `explode` (OpenAPI 3.1, 4.8.12.2). */
export function isCommaSeparated(parameter: Parameter): boolean {
  return (parameter.style ?? 'form') === 'form' && parameter.explode === false;
}

function* sorts(resources: readonly ResourceDraft[]) {
  for (const resource of resources) {
    const { list } = resource.operations;
    const sort = list && pagingParameter(list, 'sort');
    if (list !== undefined && sort !== undefined) yield { resource, list, sort };
  }
}
