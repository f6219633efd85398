import type { Schema } from '../../../descriptor/document.ts';

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
    'Properties with values or operators; `and`, `or`, `not`; references, and `some` or `none` of the referring rows.',
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

const FIELD_ACTIONS = {
  read: 'Who may read the property of a row; for others it is null.',
  write: 'Who may write the property of a row: the condition holds on the row before and after.',
};

const shapeOf = (actions: Readonly<Record<string, string>>): Schema => ({
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(actions).map(([action, description]) => [
      action,
      { type: 'array', description, items: alternative },
    ]),
  ),
});

/** The shape of `x-access` on a schema, for editors. */
export const ACCESS_SHAPE: Schema = shapeOf(ACTIONS);

/** The shape of `x-access` on a property, for editors. */
export const FIELD_ACCESS_SHAPE: Schema = shapeOf(FIELD_ACTIONS);
