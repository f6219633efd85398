import type { Action } from '../../descriptor/resource.ts';
import { allOf, oneOf } from '../findings/wording.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import type { OperationDraft, ResourceDraft } from '../model/draft.ts';
import { jsonContent } from '../model/responses.ts';
import { atOperation, atResponse } from './place.ts';
import type { Check, Fault } from './rule.ts';

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
const REQUEST: { readonly [A in Action]?: readonly [suffix: string, ...types: string[]] } = {
  create: ['Input', JSON_TYPE],
  replace: ['Input', JSON_TYPE],
  update: ['Patch', MERGE_PATCH, JSON_TYPE],
};

/** What else an action may answer: `PUT` creates where its operation says so. */
const ALSO: { readonly [A in Action]?: number } = { replace: 201 };

/** An action has one success status. */
export const actionStatus: Check = function* ({ resources }) {
  for (const { action, operation } of actionsOf(resources)) {
    const [expected] = SUCCESS[action];
    const declared = Object.keys(operation.node.responses ?? {}).filter((status) => /^2\d\d$/.test(status));
    const wrong = declared.filter((status) => status !== String(expected) && status !== String(ALSO[action]));
    if (wrong.length === 0 && declared.includes(String(expected))) continue;
    yield {
      severity: 'error',
      message:
        wrong.length === 0
          ? `\`${operation.operationId}\` is the ${action} action, but declares no ${expected} response.`
          : `\`${operation.operationId}\` is the ${action} action, which returns ${expected}, not ${wrong.join(' or ')}.`,
      hint: `Declare the response \`'${expected}'\`${wrong.length === 0 ? '' : ' instead'}.`,
      ...atResponse(operation, wrong[0] ?? ''),
    };
  }
};

/** An action returns the resource, a page of it, or nothing. */
export const actionResponse: Check = function* ({ resources }) {
  for (const { action, operation, resource } of actionsOf(resources)) {
    const [first, suffix] = SUCCESS[action];
    for (const status of [first, ALSO[action]])
      if (status !== undefined) yield* wrongContent({ action, operation, resource }, status, suffix);
  }
};

function* wrongContent(
  { action, operation, resource }: ResourceAction,
  status: number,
  suffix: string | null,
): Iterable<Fault> {
  const response = operation.responses.get(String(status));
  if (response === undefined) return;
  const types = Object.keys(response.content ?? {});
  const place = response.content === undefined ? atResponse(operation, status) : { node: response, key: 'content' };
  if (suffix === null) {
    if (types.length === 0) return;
    yield {
      severity: 'error',
      message: `\`${operation.operationId}\` returns ${status}, which has no body, but declares ${allOf(types)}.`,
      hint: 'Remove `content`.',
      ...place,
    };
    return;
  }
  const expected = suffix === 'Page' ? (resource.page?.name ?? `${resource.name}Page`) : resource.name;
  if (types.join() !== JSON_TYPE || schemaNameOf(jsonContent(response)?.schema) !== expected) {
    yield {
      severity: 'error',
      message: `\`${operation.operationId}\` is the ${action} action of \`${resource.name}\`, which returns a \`${expected}\` as \`${JSON_TYPE}\` and nothing else.`,
      hint: `Write \`content: { ${JSON_TYPE}: { schema: { $ref: '#/components/schemas/${expected}' } } }\`.`,
      ...place,
    };
  }
}

/** The body of a writing action is required, and is the resource's input or patch in the conventional media types. */
export const actionRequest: Check = function* ({ resources }) {
  for (const { action, operation, resource } of actionsOf(resources)) {
    const convention = REQUEST[action];
    const { body } = operation;
    if (convention === undefined) {
      if (body !== undefined) yield unexpectedBody(operation, action);
      continue;
    }
    const [suffix, required, ...others] = convention;
    const known = suffix === 'Patch' ? resource.patch : resource.input;
    const expected = known?.name ?? `${resource.name}${suffix}`;
    const types = Object.keys(body?.content ?? {});
    const wrong = types.filter((type) => type !== required && !others.includes(type));
    const not = wrong.length > 0 ? `, not ${oneOf(wrong)}` : '';
    const node = body ?? operation.node;
    if (wrong.length > 0 || !types.includes(required!)) {
      yield {
        severity: 'error',
        message: `\`${operation.operationId}\` is the ${action} action, which accepts \`${required}\`${others.length > 0 ? ` and may accept ${oneOf(others)}` : ''}${not}.`,
        hint: `Write \`content: { ${required}: { schema: { $ref: '#/components/schemas/${expected}' } } }\`.`,
        ...(body === undefined ? atOperation(operation) : { node, key: 'content' }),
      };
    }
    if (known !== undefined) yield* wrongSchemas(operation, action, expected);
    if (body !== undefined && body.required !== true) {
      yield {
        severity: 'error',
        message: `\`${operation.operationId}\` is the ${action} action, but its body is optional.`,
        hint: 'Write `required: true` in `requestBody`.',
        ...atOperation(operation, 'requestBody'),
      };
    }
  }
};

function* wrongSchemas(operation: OperationDraft, action: Action, expected: string) {
  for (const media of Object.values(operation.body?.content ?? {})) {
    if (schemaNameOf(media.schema) === expected) continue;
    yield {
      severity: 'error',
      message: `\`${operation.operationId}\` is the ${action} action, whose body is a \`${expected}\`.`,
      hint: `Write \`schema: { $ref: '#/components/schemas/${expected}' }\`.`,
      node: media,
      key: 'schema',
    } as const;
  }
}

function unexpectedBody(operation: OperationDraft, action: Action) {
  return {
    severity: 'error',
    message: `\`${operation.operationId}\` is the ${action} action, which has no request body.`,
    hint: 'Remove `requestBody`.',
    ...atOperation(operation, 'requestBody'),
  } as const;
}

interface ResourceAction {
  readonly resource: ResourceDraft;
  readonly action: Action;
  readonly operation: OperationDraft;
}

function* actionsOf(resources: readonly ResourceDraft[]): Iterable<ResourceAction> {
  for (const resource of resources) {
    for (const [action, operation] of Object.entries(resource.operations)) {
      yield { resource, action: action as Action, operation };
    }
  }
}
