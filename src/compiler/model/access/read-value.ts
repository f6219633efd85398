import type { RuleValue } from '../../../descriptor/row-access.ts';
import { enumValues, typeName } from '../../json-schema/property-type.ts';
import type { PropertyDraft } from '../draft.ts';
import type { AccessFault } from './access-faults.ts';
import { literalOf } from './literals.ts';

const CLAIM = /^\$claims((?:\.[^.]+)+)$/;

/** What a value of a condition is, or what is wrong with it. */
export type ReadValue = { readonly value: RuleValue } | Pick<AccessFault, 'message' | 'hint'>;

/** Reads a value that a property is compared with: a literal of its type, or `$claims.path`. `name`: the property, for messages. */
export function readValue(property: PropertyDraft, name: string, written: unknown): ReadValue {
  if (written === null)
    return { message: `\`${name}\` is compared with null, which equals nothing.`, hint: 'Write `isNull: true`.' };
  if (typeof written === 'object')
    return {
      message: `\`${name}\` is compared with ${Array.isArray(written) ? 'a list' : 'an object'}.`,
      hint: Array.isArray(written) ? 'Write `in: […]`.' : 'Write one value.',
    };
  return typeof written === 'string' && written.startsWith('$')
    ? dollarText(property, name, written)
    : literal(property, name, written as string | number | boolean);
}

/** `$claims.sub`, or `$$5`, which is the text `$5`. */
function dollarText(property: PropertyDraft, name: string, text: string): ReadValue {
  if (text.startsWith('$$')) return literal(property, name, text.slice(1));
  const path = CLAIM.exec(text)?.[1];
  if (path !== undefined) return { value: { claim: path.slice(1).split('.') } };
  return {
    message: `\`${text}\` is not a claim of the caller's token.`,
    hint: `Write \`$claims.sub\`, or another path of claims; a text that begins with \`$\` is written \`$${text}\`.`,
  };
}

function literal(property: PropertyDraft, name: string, written: string | number | boolean): ReadValue {
  const value = literalOf(property, written);
  if (value !== undefined) return { value: { literal: value } };
  const states = enumValues(property.flat);
  return states
    ? {
        message: `\`${String(written)}\` is not a value of \`${name}\`.`,
        hint: { name: String(written), known: states },
      }
    : {
        message: `\`${name}\` is compared with ${JSON.stringify(written)}, but is ${typeName(property.flat)}.`,
        hint: 'Write a value of its type, or a claim: `$claims.sub`.',
      };
}
