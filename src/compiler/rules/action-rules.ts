import type { Action } from '../../descriptor/resource.ts';
import { allOf, oneOf } from '../findings/wording.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import { jsonContent } from '../model/responses.ts';
import { atOperation, atResponse } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { type ResourceAction, theActions } from './subjects.ts';

const JSON_TYPE = 'application/json';
const MERGE_PATCH = 'application/merge-patch+json';

/** The success status of each action, and the suffix of the schema of its body; null when it has none. */
const SUCCESS: { readonly [A in Action]: readonly [status: number, suffix: string | null] } = {
  list: [200, 'Page'],
  get: [200, ''],
  create: [201, ''],
  replace: [200, ''],
  update: [200, ''],
  delete: [204, null],
};

/** The media types that each writing action accepts; the first one is required. */
const REQUEST: { readonly [A in Action]?: readonly [suffix: string, required: string, ...others: string[]] } = {
  create: ['Input', JSON_TYPE],
  replace: ['Input', JSON_TYPE],
  update: ['Patch', MERGE_PATCH, JSON_TYPE],
};

/** What else an action may answer: `PUT` creates where its operation says so. */
const ALSO: { readonly [A in Action]?: number } = { replace: 201 };

export const actionRules = [
  rule({
    id: 'action-status',
    summary: 'An action has the success status of the conventions.',
    advice: '201 for create, 204 for delete, 200 for all others; a `PUT` that creates has 201 beside it.',
    each: theActions,
    check({ action, operation }) {
      const [expected] = SUCCESS[action];
      const declared = Object.keys(operation.node.responses ?? {}).filter((status) => /^2\d\d$/.test(status));
      const wrong = declared.filter((status) => status !== String(expected) && status !== String(ALSO[action]));
      const isMissing = wrong.length === 0;
      if (isMissing && declared.includes(String(expected))) return undefined;
      return {
        message: `\`${operation.operationId}\` is the ${action} action, ${isMissing ? `but declares no ${expected} response` : `which returns ${expected}, not ${wrong.join(' or ')}`}.`,
        hint: `Declare the response \`'${expected}'\`${isMissing ? '' : ' instead'}.`,
        ...atResponse(operation, wrong[0] ?? ''),
      };
    },
  }),
  rule({
    id: 'action-response',
    summary: 'An action returns the resource, a page of it, or nothing.',
    advice: 'The table of actions is in docs/reference.md.',
    each: theActions,
    check: (one) => [SUCCESS[one.action][0], ALSO[one.action]].flatMap((status) => wrongContent(one, status) ?? []),
  }),
  rule({
    id: 'action-request',
    summary: 'The body of a writing action is the required input or patch of its resource.',
    advice:
      '`application/json` for inputs, `application/merge-patch+json` for patches, which may be `application/json` as well.',
    each: theActions,
    check: wrongBody,
  }),
];

function wrongContent({ action, operation, resource }: ResourceAction, status: number | undefined): Fault | undefined {
  const [, suffix] = SUCCESS[action];
  const response = operation.responses.get(String(status));
  if (status === undefined || response === undefined) return undefined;
  const types = Object.keys(response.content ?? {});
  const place = response.content === undefined ? atResponse(operation, status) : { node: response, key: 'content' };
  if (suffix === null && types.length === 0) return undefined;
  if (suffix === null)
    return {
      message: `\`${operation.operationId}\` returns ${status}, which has no body, but declares ${allOf(types)}.`,
      hint: 'Remove `content`.',
      ...place,
    };
  const expected = suffix === 'Page' ? (resource.page?.name ?? `${resource.name}Page`) : resource.name;
  if (types.join() === JSON_TYPE && schemaNameOf(jsonContent(response)?.schema) === expected) return undefined;
  return {
    message: `\`${operation.operationId}\` is the ${action} action of \`${resource.name}\`, which returns a \`${expected}\` as \`${JSON_TYPE}\` and nothing else.`,
    hint: `Write \`content: { ${JSON_TYPE}: { schema: { $ref: '#/components/schemas/${expected}' } } }\`.`,
    ...place,
  };
}

function* wrongBody({ action, operation, resource }: ResourceAction): Iterable<Fault> {
  const convention = REQUEST[action];
  const { body } = operation;
  const does = `\`${operation.operationId}\` is the ${action} action,`;
  const place = atOperation(operation, 'requestBody');
  if (!convention) {
    if (body) yield { message: `${does} which has no request body.`, hint: 'Remove `requestBody`.', ...place };
    return;
  }
  const [suffix, required, ...others] = convention;
  const known = suffix === 'Patch' ? resource.patch : resource.input;
  const expected = known?.name ?? `${resource.name}${suffix}`;
  const reference = `schema: { $ref: '#/components/schemas/${expected}' }`;
  const content = body?.content ?? {};
  const types = Object.keys(content);
  const wrong = types.filter((type) => type !== required && !others.includes(type));
  if (wrong.length > 0 || !types.includes(required))
    yield {
      message: `${does} which accepts \`${required}\`${others.length > 0 ? ` and may accept ${oneOf(others)}` : ''}${wrong.length > 0 ? `, not ${oneOf(wrong)}` : ''}.`,
      hint: `Write \`content: { ${required}: { ${reference} } }\`.`,
      ...(body ? { node: body, key: 'content' } : atOperation(operation)),
    };
  for (const media of known ? Object.values(content) : [])
    if (schemaNameOf(media.schema) !== expected)
      yield {
        message: `${does} whose body is a \`${expected}\`.`,
        hint: `Write \`${reference}\`.`,
        node: media,
        key: 'schema',
      };
  if (body && body.required !== true)
    yield { message: `${does} but its body is optional.`, hint: 'Write `required: true` in `requestBody`.', ...place };
}
