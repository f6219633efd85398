import type { Schema } from '../../descriptor/document.ts';

/** The actions stand here once more, because an editor shows what each means. */
const ACTIONS = {
  read: 'Who may read a row; to others it does not exist.',
  create: 'Who may make such a row.',
  update: 'Who may change a row: the condition holds on it before and after.',
  delete: 'Who may delete a row.',
};

const condition: Schema = {
  type: 'object',
  description:
    'Properties with values or operators; `and`, `or`, `not`; references, and `some` or `none` of what refers.',
  properties: {
    and: { type: 'array', items: { type: 'object' } },
    or: { type: 'array', items: { type: 'object' } },
    not: { type: 'object' },
  },
};

const alternative: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { scope: { type: 'string', minLength: 1, description: 'A scope of the caller.' }, where: condition },
};

/** The shape of `x-access`, for editors. */
export const ACCESS_SHAPE: Schema = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(ACTIONS).map(([action, description]) => [
      action,
      { type: 'array', description, items: alternative },
    ]),
  ),
};
