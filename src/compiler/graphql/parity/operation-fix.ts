import type { Access } from '../../../descriptor/access.ts';
import type { Action, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import { upperFirst } from '../../model/naming.ts';
import { namedSchemas } from '../../model/schemas.ts';
import { REQUESTS } from '../convention/fields.ts';
import { accessOf } from '../fields/access-of.ts';
import type { Field, Parity } from './parity.ts';
import { addKey } from './rest-edits.ts';

type Write = Exclude<Action, 'list' | 'get'>;

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
  if (action === 'list' || action === 'get') return undefined;
  const { operations } = parity.draftOf(key);
  const item = action === 'create' ? operations.list?.item : operations.get?.item;
  const input = inputOf(parity, name, action);
  if (!item || input === null) return undefined;
  const node = operationOf(name, action, accessOf(field, parity.document), input);
  return addKey(parity, item, REQUESTS[action].method, node);
}

/** The name of the schema of the body; null when it is not declared. */
function inputOf({ document }: Parity, name: string, action: Write): string | undefined | null {
  if (action === 'delete') return undefined;
  const input = action === 'update' ? `${name}Patch` : `${name}Input`;
  return namedSchemas(document)[input] === undefined ? null : input;
}

function operationOf(name: string, action: Write, { anyOf }: Access, input: string | undefined): object {
  const mediaType = action === 'update' ? 'application/merge-patch+json' : 'application/json';
  const body = (schema: string, type: string) => ({
    content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } },
  });
  const status = action === 'delete' ? '204' : action === 'create' ? '201' : '200';
  const answer = action === 'delete' ? { description: 'It is gone.' } : { description: `The ${name}.` };
  return {
    operationId: `${action}${upperFirst(name)}`,
    security: anyOf.map(({ schemes }) => Object.fromEntries(schemes.map((scheme) => [scheme.name, scheme.scopes]))),
    ...(input && { requestBody: { required: true, ...body(input, mediaType) } }),
    responses: { [status]: action === 'delete' ? answer : { ...answer, ...body(name, 'application/json') } },
  };
}
