import type { Parameter } from '../../descriptor/document.ts';
import { isReference } from '../../descriptor/references.ts';
import type { Place } from '../findings/finding.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import type { ObjectDraft, OperationDraft, PropertyDraft } from '../model/draft.ts';

/** The place where a schema declares a property. */
export function atProperty(property: PropertyDraft): Place {
  return { node: property.holder, key: property.name };
}

/** The place of a keyword; the last schema object that applies when none has it. */
export function atKeyword(schema: FlatSchema, keyword: string): Place {
  const found = schema.keywords.get(keyword);
  return found === undefined ? { node: schema.nodes.at(-1)! } : { node: found.node, key: keyword };
}

/** The place of a property's keyword; of the property itself when it does not have the keyword. */
export function atPropertyKeyword(property: PropertyDraft, keyword: string): Place {
  return property.flat.keywords.has(keyword) ? atKeyword(property.flat, keyword) : atProperty(property);
}

/** The place of a name in `required`. */
export function atRequired(schema: ObjectDraft, name: string): Place {
  const list = schema.flat.required.get(name);
  return list === undefined ? { node: schema.node } : { node: list, key: (list as string[]).indexOf(name) };
}

/** The place of an operation's key; of the operation itself when it does not have the key. */
export function atOperation(operation: OperationDraft, key?: string): Place {
  const has = key !== undefined && Object.hasOwn(operation.node, key);
  return has ? { node: operation.node, key } : { node: operation.item, key: operation.method };
}

/**
 * The place of a status among an operation's responses; not of its target, as a reference is what assigns the status.
 */
export function atResponse(operation: OperationDraft, status: string | number): Place {
  const responses = operation.node.responses ?? {};
  return Object.hasOwn(responses, status) ? { node: responses, key: status } : atOperation(operation, 'responses');
}

/** The place of a parameter, or of one of its keys. */
export function atParameter(parameter: Parameter, key: 'name' | 'schema' | 'explode' | 'style' = 'name'): Place {
  return Object.hasOwn(parameter, key) && !isReference(parameter) ? { node: parameter, key } : { node: parameter };
}
