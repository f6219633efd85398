import type { OpenApiDocument, Parameter } from '../../descriptor/document.ts';
import { TRIGRAM } from '../../descriptor/searches.ts';
import { oneOf, suggestion } from '../findings/wording.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { propertyType, typeName } from '../json-schema/property-type.ts';
import type { OperationDraft, ResourceDraft } from '../model/draft.ts';
import { appliesTo } from '../model/filter-operators.ts';
import {
  FILTER_OPERATORS,
  filterParameters,
  filterShape,
  itemSchema,
  parameterSchema,
} from '../model/resources/list-parameters.ts';
import { flatSchema } from '../model/schemas.ts';
import { isCommaSeparated } from './list-rules.ts';
import { atParameter } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** A query parameter of a list, other than paging and order, names a property to filter by. */
export const filterProperty: Check = function* ({ resources }) {
  for (const { resource, list, parameter } of filters(resources)) {
    const property = resource.schema.properties.get(parameter.name);
    if (property !== undefined && property.type !== 'json') continue;
    const names = [...resource.schema.properties.values()].filter(({ type }) => type !== 'json');
    yield {
      severity: 'error',
      message:
        property === undefined
          ? `\`${list.operationId}\` filters by \`${parameter.name}\`, which is not a property of \`${resource.name}\`.`
          : `\`${list.operationId}\` filters by \`${resource.name}.${parameter.name}\`, which is ${typeName(property.flat)} and cannot be compared.`,
      hint: suggestion(
        parameter.name,
        names.map(({ name }) => name),
      ),
      ...atParameter(parameter),
    };
  }
};

/** A filter is a single value, a comma-separated array or a `deepObject`. */
export const filterStyle: Check = function* ({ document, resources }) {
  for (const { list, parameter } of filters(resources)) {
    const shape = filterShape(document, parameter);
    const type = parameterSchema(document, parameter).keywords.get('type')?.value;
    const sound = {
      eq: true,
      in: isCommaSeparated(parameter),
      object: parameter.style === 'deepObject' && type === 'object',
    };
    if (sound[shape]) continue;
    yield {
      severity: 'error',
      message: `The filter \`${parameter.name}\` of \`${list.operationId}\` is ${shape === 'in' ? 'an array that is not comma-separated' : 'an object that is not a `deepObject`'}.`,
      hint:
        shape === 'in'
          ? 'Add `explode: false` (and no `style`).'
          : 'Write `style: deepObject` and `schema: { type: object }`.',
      ...atParameter(parameter, shape === 'in' ? 'explode' : 'style'),
    };
  }
};

/** The operators of a filter apply to the type of its property. */
export const filterOperator: Check = function* ({ document, resources }) {
  for (const { resource, parameter } of filters(resources)) {
    const property = resource.schema.properties.get(parameter.name);
    const operators = parameterSchema(document, parameter).properties;
    if (property === undefined || filterShape(document, parameter) !== 'object') continue;
    const allowed = FILTER_OPERATORS.filter((operator) => appliesTo(operator, property));
    if (operators.size === 0)
      yield operatorFault(resource, parameter, 'no operator', allowed, atParameter(parameter, 'schema'));
    for (const { name, holder } of operators.values()) {
      if (allowed.includes(name)) continue;
      const what = FILTER_OPERATORS.includes(name)
        ? `the operator \`${name}\`, which does not apply to ${typeName(property.flat)}`
        : `the unknown operator \`${name}\``;
      yield operatorFault(resource, parameter, what, allowed, { node: holder, key: name });
    }
  }
};

/** A filter has the type of its property. */
export const filterType: Check = function* ({ document, resources }) {
  for (const { resource, parameter } of filters(resources)) {
    const property = resource.schema.properties.get(parameter.name);
    if (property === undefined || property.type === 'json') continue;
    for (const { schema, place } of comparedValues(document, parameter)) {
      if (propertyType(schema) === property.type) continue;
      yield {
        severity: 'error',
        message: `The filter \`${parameter.name}\` compares ${typeName(schema)} with \`${resource.name}.${property.name}\`, which is ${typeName(property.flat)}.`,
        hint: `Give the filter the type and format of the property.`,
        ...place,
      };
    }
  }
};

/** An index of trigrams finds a text by three of its characters; for fewer, the whole table is read. */
export const filterSearch: Check = function* ({ document, resources }) {
  for (const { resource, list, parameter } of filters(resources)) {
    const searched = parameterSchema(document, parameter).properties.get('contains');
    const property = resource.schema.properties.get(parameter.name);
    if (searched === undefined || property === undefined || filterShape(document, parameter) !== 'object') continue;
    if (!appliesTo('contains', property)) continue;
    const least = flatSchema(document, ...searched.schemas).keywords.get('minLength')?.value;
    if (typeof least === 'number' && least >= TRIGRAM) continue;
    yield {
      severity: 'warning',
      message: `\`${list.operationId}\` searches \`${resource.name}.${parameter.name}\` for texts of fewer than three characters, which no index finds: each search reads the whole table, about a second for a million rows.`,
      hint: `Add \`minLength: ${TRIGRAM}\` to \`contains\`.`,
      node: searched.holder,
      key: 'contains',
    };
  }
};

function operatorFault(
  resource: ResourceDraft,
  parameter: Parameter,
  what: string,
  allowed: readonly string[],
  place: Pick<Fault, 'node' | 'key'>,
): Fault {
  return {
    severity: 'error',
    message: `The filter \`${parameter.name}\` of \`${resource.name}\` has ${what}.`,
    hint: `Its schema is an object with a property for each operator: ${oneOf(allowed)}.`,
    ...place,
  };
}

/** The schemas of the values of a filter, which depend on its style. */
function* comparedValues(
  document: OpenApiDocument,
  parameter: Parameter,
): Iterable<{ schema: FlatSchema; place: Pick<Fault, 'node' | 'key'> }> {
  const whole = parameterSchema(document, parameter);
  switch (filterShape(document, parameter)) {
    case 'eq':
      yield { schema: whole, place: atParameter(parameter, 'schema') };
      break;
    case 'in':
      yield { schema: itemSchema(document, whole), place: atParameter(parameter, 'schema') };
      break;
    case 'object':
      for (const { name, holder, schemas } of whole.properties.values()) {
        yield { schema: flatSchema(document, ...schemas), place: { node: holder, key: name } };
      }
  }
}

function* filters(
  resources: readonly ResourceDraft[],
): Iterable<{ resource: ResourceDraft; list: OperationDraft; parameter: Parameter }> {
  for (const resource of resources) {
    const { list } = resource.operations;
    for (const parameter of list === undefined ? [] : filterParameters(list, resource.schema))
      yield { resource, list: list!, parameter };
  }
}
