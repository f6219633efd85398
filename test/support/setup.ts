import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll } from 'vitest';
import { endWhatIsLeft } from './clean-up.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24)
  throw new Error(`Tests run on the project's own Node: use npm scripts or npx (this is ${process.version})`);

// glue's validator compiles OpenAPI's schema for every server: a third of a second that the servers of a worker share.
const validators: { getAjvValidator(version: string): unknown } = Validator.prototype as never;
const { getAjvValidator } = validators;
const compiled = new Map<string, unknown>();
validators.getAjvValidator = function (version) {
  const known = compiled.get(version) ?? getAjvValidator.call(this, version);
  compiled.set(version, known);
  return known;
};

afterAll(endWhatIsLeft);
