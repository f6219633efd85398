import type { Action, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import { upperFirst } from '../../model/naming.ts';
import { actionObject, REQUESTS } from '../../model/operation-object.ts';
import { namedSchemas } from '../../model/schemas.ts';
import { securityOf } from '../convention/directives.ts';
import type { Field, Parity } from './parity.ts';
import { addKey } from './rest-edits.ts';

/**
 * Adds the operation of an action that GraphQL has alone, in its short form: what the conventions imply is completed.
 * Undefined for a list, whose parameters are not known, and where its path or its schemas are not declared yet.
 */
export function operationFix(
  parity: Parity,
  { key, name }: ResourceDescriptor,
  action: Action,
  field: Field,
): Fix | undefined {
  const { operations } = parity.draftOf(key);
  const { method, ofCollection, input, types } = REQUESTS[action];
  const item = (ofCollection ? operations.list : operations.get)?.item;
  const isDeclared = input === undefined || namedSchemas(parity.document)[name + input] !== undefined;
  if (!item || !isDeclared || method === 'get') return undefined;
  const parts = { operationId: `${action}${upperFirst(name)}`, security: securityOf(field, parity.document) };
  const answer = action === 'delete' ? 'It is gone.' : `The ${name}.`;
  return addKey(parity, item, method, actionObject(name, action, parts, answer, types.slice(0, 1)));
}
