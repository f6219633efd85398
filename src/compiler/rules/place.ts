import type { Parameter } from '../../descriptor/document.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { isReference } from '../json-schema/references.ts';
import type { ObjectDraft, OperationDraft, PropertyDraft } from '../model/draft.ts';
import type { Fault } from './rule.ts';

type Place = Pick<Fault, 'node' | 'key'>;

/** Where a schema names a property. */
export function atProperty(property: PropertyDraft): Place {
  return { node: property.holder, key: property.name };
}

/** Where a keyword stands; the last schema object that has a say, when none has it. */
export function atKeyword(schema: FlatSchema, keyword: string): Place {
  const found = schema.keywords.get(keyword);
  return found === undefined ? { node: schema.nodes.at(-1)! } : { node: found.node, key: keyword };
}

/** A keyword of a property; the property itself when it has no such keyword. */
export function atPropertyKeyword(property: PropertyDraft, keyword: string): Place {
  return property.flat.keywords.has(keyword) ? atKeyword(property.flat, keyword) : atProperty(property);
}

/** Where a name is listed in `required`. */
export function atRequired(schema: ObjectDraft, name: string): Place {
  const list = schema.flat.required.get(name);
  return list === undefined ? { node: schema.node } : { node: list, key: (list as string[]).indexOf(name) };
}

/** A key of an operation; the operation itself when it lacks it. */
export function atOperation(operation: OperationDraft, key?: string): Place {
  const has = key !== undefined && Object.hasOwn(operation.node, key);
  return has ? { node: operation.node, key } : { node: operation.item, key: operation.method };
}

/** A status among an operation's responses; when it is a reference, its target has no say in which status it is. */
export function atResponse(operation: OperationDraft, status: string | number): Place {
  const responses = operation.node.responses ?? {};
  return Object.hasOwn(responses, status) ? { node: responses, key: status } : atOperation(operation, 'responses');
}

/** A parameter, or its schema. */
export function atParameter(parameter: Parameter, key: 'name' | 'schema' | 'explode' | 'style' = 'name'): Place {
  return Object.hasOwn(parameter, key) && !isReference(parameter) ? { node: parameter, key } : { node: parameter };
}
