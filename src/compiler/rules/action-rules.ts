import { withArticle } from '../../descriptor/article.ts';
import type { Action } from '../../descriptor/resource.ts';
import { allOf, oneOf } from '../findings/wording.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import { REQUESTS } from '../model/action-requests.ts';
import { jsonContent } from '../model/responses.ts';
import { atOperation, atResponse } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { type ResourceAction, theActions } from './subjects.ts';

const JSON_TYPE = 'application/json';

/** What else an action may answer: `PUT` creates where its operation says so. */
const ALSO: { readonly [A in Action]?: number } = { replace: 201 };

export const actionRules = [
  rule({
    id: 'action-status',
    summary: 'An action has the success status of the conventions.',
    advice: '201 for create, 204 for delete, 200 for all others. A `PUT` that creates also has 201.',
    each: theActions,
    check({ action, operation }) {
      const { status: expected } = REQUESTS[action];
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
    advice: 'The table of actions is in docs/reference/resources.md.',
    each: theActions,
    check: (one) =>
      [REQUESTS[one.action].status, ALSO[one.action]].flatMap((status) => wrongContent(one, status) ?? []),
  }),
  rule({
    id: 'action-request',
    summary: 'The body of a writing action is the required input or patch of its resource.',
    advice:
      '`application/json` for inputs; `application/merge-patch+json` for patches, which may also be `application/json`.',
    each: theActions,
    check: wrongBody,
  }),
];

function wrongContent({ action, operation, resource }: ResourceAction, status: number | undefined): Fault | undefined {
  const { output } = REQUESTS[action];
  const response = operation.responses.get(String(status));
  if (status === undefined || response === undefined) return undefined;
  const types = Object.keys(response.content ?? {});
  const place = response.content === undefined ? atResponse(operation, status) : { node: response, key: 'content' };
  if (output === undefined && types.length === 0) return undefined;
  if (output === undefined)
    return {
      message: `\`${operation.operationId}\` returns ${status}, which has no body, but declares ${allOf(types)}.`,
      hint: 'Remove `content`.',
      ...place,
    };
  const expected = output === 'Page' ? (resource.page?.name ?? `${resource.name}Page`) : resource.name;
  if (types.join() === JSON_TYPE && schemaNameOf(jsonContent(response)?.schema) === expected) return undefined;
  return {
    message: `\`${operation.operationId}\` is the ${action} action of \`${resource.name}\`, which returns ${withArticle(`\`${expected}\``)} as \`${JSON_TYPE}\` and nothing else.`,
    hint: `Write \`content: { ${JSON_TYPE}: { schema: { $ref: '#/components/schemas/${expected}' } } }\`.`,
    ...place,
  };
}

function* wrongBody({ action, operation, resource }: ResourceAction): Iterable<Fault> {
  const { input, types: allowed } = REQUESTS[action];
  const { body } = operation;
  const does = `\`${operation.operationId}\` is the ${action} action,`;
  const place = atOperation(operation, 'requestBody');
  const [required, ...others] = allowed;
  if (input === undefined || required === undefined) {
    if (body) yield { message: `${does} which has no request body.`, hint: 'Remove `requestBody`.', ...place };
    return;
  }
  const known = input === 'Patch' ? resource.patch : resource.input;
  const expected = known?.name ?? `${resource.name}${input}`;
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
        message: `${does} whose body is ${withArticle(`\`${expected}\``)}.`,
        hint: `Write \`${reference}\`.`,
        node: media,
        key: 'schema',
      };
  if (body && body.required !== true)
    yield { message: `${does} but its body is optional.`, hint: 'Write `required: true` in `requestBody`.', ...place };
}
