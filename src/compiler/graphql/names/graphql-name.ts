import type { NameCase } from '../../../descriptor/convention-names.ts';
import { camelCase, lowerFirst, upperFirst } from '../../model/naming.ts';

/** A name of GraphQL (2.1.9) that is not reserved for introspection (4.1). */
const NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;

/** What GraphQL does not take as the name of an enum value (3.9). */
const NO_VALUE = new Set(['true', 'false', 'null']);

/**
 * The name of the GraphQL field or argument for a property or a parameter: the same where GraphQL can spell it, else in
 * camelCase: `first.name` → `firstName`, `@type` → `type`, `2fa` → `_2fa`. In a contract in snake_case, always in
 * camelCase.
 */
export function fieldName(name: string, nameCase: NameCase = 'camelCase'): string {
  if (nameCase === 'snake_case') return started(camelWords(name));
  return NAME.test(name) ? name : started(lowerFirst(camelCase(name)));
}

/**
 * The name of the GraphQL type for a schema: the same, or its words joined: `Ops.Widget` → `OpsWidget`. In a contract in
 * snake_case, always in PascalCase: `fruit_tree` → `FruitTree`.
 */
export function typeName(name: string, nameCase: NameCase = 'camelCase'): string {
  if (nameCase === 'snake_case') return started(upperFirst(camelCase(name)));
  return NAME.test(name) ? name : started(camelCase(name));
}

/**
 * The name of the GraphQL enum value for a value: the same, or with `_` for what GraphQL cannot spell:
 * `in-progress` → `in_progress`, `3d` → `_3d`, `true` → `true_`, the empty text → `_`.
 */
export function valueName(value: string): string {
  if (NO_VALUE.has(value)) return `${value}_`;
  return NAME.test(value) ? value : started(value.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^__+/, '_'));
}

/** A name that begins with no digit. */
const started = (name: string): string => (/^[A-Za-z_]/.test(name) ? name : `_${name}`);

/** `created_at` → `createdAt`; a leading underscore stays. */
function camelWords(name: string): string {
  const [, lead = '', words = ''] = /^(_?)_*(.*)$/.exec(name)!;
  return lead + lowerFirst(camelCase(words));
}

/** A name that is not taken, with underscores behind it where it would be. */
export const freeName = (name: string, isTaken: (name: string) => boolean): string =>
  isTaken(name) ? freeName(`${name}_`, isTaken) : name;
