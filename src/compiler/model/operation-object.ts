import type { HttpMethod } from '../../descriptor/document.ts';
import type { Action } from '../../descriptor/resource.ts';
import { schemaReference } from '../json-schema/references.ts';

type Json = Readonly<Record<string, unknown>>;

/** What an Operation Object is written from; what is undefined is left out. */
export interface OperationParts {
  readonly operationId: string;
  readonly tags?: unknown;
  readonly summary?: string;
  readonly description?: string | undefined;
  /** Security Requirement Objects; undefined for those of the document. */
  readonly security?: unknown;
  readonly deprecated?: boolean | undefined;
  readonly 'x-through'?: string;
  readonly parameters?: readonly unknown[];
  readonly body?:
    | { readonly schema: Json; readonly isRequired?: boolean; readonly types?: readonly string[] | undefined }
    | undefined;
  readonly answer: { readonly status: number; readonly description: string; readonly schema?: Json | undefined };
}

/** An Operation Object in its short form: what the conventions imply is completed. */
export function operationObject({ body, answer, ...members }: OperationParts): Json {
  const { status, description, schema } = answer;
  const { deprecated, parameters = [] } = members;
  const all = {
    ...members,
    deprecated: deprecated || undefined,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && { required: body.isRequired ?? true, content: contentOf(body.schema, body.types) },
    responses: { [status]: { description, ...(schema && { content: contentOf(schema) }) } },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const JSON_TYPE = 'application/json';

const contentOf = (schema: Json, types: readonly string[] = [JSON_TYPE]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const PATCH_TYPES = ['application/merge-patch+json', JSON_TYPE];

interface Request {
  readonly method: HttpMethod;
  readonly ofCollection: boolean;
  /** What follows the name of the resource in the name of the schema of the body. */
  readonly input?: 'Input' | 'Patch';
  /** The media types of the body; the first one is required. */
  readonly types: readonly string[];
  readonly status: number;
  /** The same for the answer. */
  readonly output?: '' | 'Page';
}

/** How an action is asked for over REST, and answers. */
export const REQUESTS: Readonly<Record<Action, Request>> = {
  list: { method: 'get', ofCollection: true, types: [], status: 200, output: 'Page' },
  get: { method: 'get', ofCollection: false, types: [], status: 200, output: '' },
  create: { method: 'post', ofCollection: true, input: 'Input', types: [JSON_TYPE], status: 201, output: '' },
  replace: { method: 'put', ofCollection: false, input: 'Input', types: [JSON_TYPE], status: 200, output: '' },
  update: { method: 'patch', ofCollection: false, input: 'Patch', types: PATCH_TYPES, status: 200, output: '' },
  delete: { method: 'delete', ofCollection: false, types: [], status: 204 },
};

/** The Operation Object of an action of a resource. `answer`: what it says of its answer; `types`: the media types of its body. */
export function actionObject(
  name: string,
  action: Action,
  parts: Omit<OperationParts, 'body' | 'answer'>,
  answer: string,
  types = REQUESTS[action].types,
): Json {
  const { input, status, output } = REQUESTS[action];
  return operationObject({
    ...parts,
    body: input === undefined ? undefined : { schema: schemaReference(name + input), types },
    answer: { status, description: answer, schema: output === undefined ? undefined : schemaReference(name + output) },
  });
}
