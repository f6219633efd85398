import type { HttpMethod } from '../../descriptor/document.ts';
import type { Action } from '../../descriptor/resource.ts';

const JSON_TYPE = 'application/json';
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
