import type { OpenApiDocument, Operation, Parameter, Schema } from '../../../descriptor/document.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import { declaredBounds, type IntegerBounds, scalarBounds } from '../../json-schema/integer-bounds.ts';
import { resolveReference } from '../../json-schema/references.ts';
import type { OperationDraft, ResourceDraft } from '../../model/draft.ts';
import { filterParameters } from '../../model/resources/list-parameters.ts';
import { flatSchema } from '../../model/schemas.ts';

/**
 * The parameters of a list operation. Filters by an integer property get the bounds that they do not declare from the
 * scalar that the property has in GraphQL, so that both protocols refuse the same.
 */
export function boundedParameters(
  document: OpenApiDocument,
  list: OperationDraft,
  { schema }: ResourceDraft,
): Operation['parameters'] {
  const bounded = new Map<string, Parameter>();
  for (const parameter of filterParameters(list, schema)) {
    const property = schema.properties.get(parameter.name);
    if (property?.type !== 'integer' || parameter.schema === undefined) continue;
    const completed = boundedFilter(document, parameter.schema, scalarBounds(property.flat));
    if (completed !== parameter.schema) bounded.set(parameter.name, { ...parameter, schema: completed });
  }
  if (bounded.size === 0) return list.node.parameters;
  const own = (list.node.parameters ?? []).map((given) => {
    const parameter = resolveReference<Parameter>(document, given);
    const completed = parameter?.in === 'query' ? bounded.get(parameter.name) : undefined;
    if (completed) bounded.delete(completed.name);
    return completed ?? given;
  });
  // Those that are left stand at the path; a parameter of the operation replaces them.
  return [...own, ...bounded.values()];
}

/** The schema of one value, of the items of a list, or of an object of operators. */
function boundedFilter(document: OpenApiDocument, schema: Schema, bounds: IntegerBounds): Schema {
  const whole = isSchemaObject(schema) ? resolveReference<object>(document, schema) : undefined;
  if (!isSchemaObject(whole)) return schema;
  const { items, properties } = whole as { readonly items?: Schema; readonly properties?: Record<string, Schema> };
  if (items !== undefined) {
    const bounded = boundedInteger(document, items, bounds);
    return bounded === items ? schema : { ...whole, items: bounded };
  }
  if (!isSchemaObject(properties)) return boundedInteger(document, schema, bounds);
  const operands = Object.entries(properties);
  const bounded = operands.map(([name, operand]) => [name, boundedInteger(document, operand, bounds)] as const);
  const isSame = bounded.every(([, operand], i) => operand === operands[i]![1]);
  return isSame ? schema : { ...whole, properties: Object.fromEntries(bounded) };
}

function boundedInteger(document: OpenApiDocument, schema: Schema, { minimum, maximum }: IntegerBounds): Schema {
  const flat = flatSchema(document, schema);
  const isOpen = flat.keywords.get('type')?.value === 'integer' && !flat.keywords.has('enum');
  if (!isSchemaObject(schema) || !isOpen || flat.keywords.has('const')) return schema;
  const { least, most } = declaredBounds(flat);
  if (least !== undefined && most !== undefined) return schema;
  return { ...schema, ...(least === undefined && { minimum }), ...(most === undefined && { maximum }) };
}
