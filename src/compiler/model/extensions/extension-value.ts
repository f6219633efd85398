import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { ExtensionUse } from '../source.ts';
import { EXTENSIONS, type ExtensionPlace } from './extensions.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
ajvFormats.default(ajv);

const validators = new Map<string, ValidateFunction>();

/** Validates values of an extension at a place; undefined if the extension is not one of the conventions, or has no meaning there. */
export function validatorOf(name: string, place: ExtensionPlace): ValidateFunction | undefined {
  const shape = Object.hasOwn(EXTENSIONS, name) ? EXTENSIONS[name]?.shapes[place] : undefined;
  if (shape === undefined) return undefined;
  const key = `${name} ${place}`;
  const validate = validators.get(key) ?? ajv.compile(shape);
  validators.set(key, validate);
  return validate;
}

/** Whether an extension of the conventions has a value and a place that it can have. */
export const isMeant = ({ name, place, value }: ExtensionUse): boolean => validatorOf(name, place)?.(value) === true;

/** What guards rows: ignored, it would open them. */
export const GUARDS: ReadonlySet<string> = new Set(['x-owner', 'x-access']);

/** Whether an extension has a place at which it is read, and a value of another tool. */
export const isForeign = (use: ExtensionUse): boolean =>
  validatorOf(use.name, use.place) !== undefined && !GUARDS.has(use.name) && !isMeant(use);
