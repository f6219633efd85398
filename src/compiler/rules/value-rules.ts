import { type Check, severityIn } from './rule.ts';

/** A lower and an upper bound, and whether a value may be equal to both. */
const BOUNDS: readonly (readonly [lower: string, upper: string, mayBeEqual: boolean])[] = [
  ['minimum', 'maximum', true],
  ['minimum', 'exclusiveMaximum', false],
  ['exclusiveMinimum', 'maximum', false],
  ['exclusiveMinimum', 'exclusiveMaximum', false],
  ['minLength', 'maxLength', true],
  ['minItems', 'maxItems', true],
  ['minContains', 'maxContains', true],
  ['minProperties', 'maxProperties', true],
];

/** Bounds leave a value between them: a schema that nothing meets is a slip. */
export const schemaBounds: Check = function* (draft) {
  for (const node of draft.schemas) {
    for (const [lower, upper, mayBeEqual] of BOUNDS) {
      const [least, most] = [node[lower], node[upper]];
      if (typeof least !== 'number' || typeof most !== 'number') continue;
      if (mayBeEqual ? least <= most : least < most) continue;
      yield {
        severity: severityIn(draft),
        message: `Nothing meets both \`${lower}: ${least}\` and \`${upper}: ${most}\`.`,
        hint: least > most ? 'Exchange the two, or correct the one that is wrong.' : 'Leave room between them.',
        node,
        key: lower,
      };
    }
  }
};

/** Each value of an enum is there once (JSON Schema Validation 6.1.2), as GraphQL's and the types of clients have it. */
export const enumDuplicate: Check = function* (draft) {
  for (const { enum: values } of draft.schemas) {
    if (!Array.isArray(values)) continue;
    const texts = values.map((value) => JSON.stringify(value));
    for (const [index, text] of texts.entries()) {
      if (texts.indexOf(text) === index) continue;
      yield {
        severity: severityIn(draft),
        message: `The value ${text} is in this \`enum\` more than once.`,
        hint: 'Leave it out here, or write the value that was meant.',
        node: values,
        key: index,
      };
    }
  }
};
