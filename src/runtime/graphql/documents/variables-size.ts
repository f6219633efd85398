import { MAX_LISTED_FAULTS } from '../../errors/bounded.ts';
import { limitExceeded } from './limits.ts';
import { RequestFaults } from './request-fault.ts';

/** Approximate size of the JSON text of all variables of a request, including single names and values. */
const MAX_CHARACTERS = 65_536;

/** Values in all variables of a request, including those in lists and objects: each can be a fault of its own. */
const MAX_VALUES = 4_096;

interface Measure {
  hasEmptyList: boolean;
  characters: number;
  values: number;
}

/** Beyond these, the faults of variables are looked for ahead of the execution; of many values, the first fault alone. */
const LONG_CHARACTERS = 8_192;
const MANY_VALUES = 200;

/**
 * Refuses variables that would take long to coerce. `maxFaults` of them may be looked for: graphql-js prints the whole
 * variable into each. Undefined: they are so small that it does not matter. Throws `RequestFaults`.
 */
export function checkVariables(variables: Readonly<Record<string, unknown>>) {
  const measure: Measure = { characters: 0, values: 0, hasEmptyList: false };
  add(measure, variables);
  if (measure.characters > MAX_CHARACTERS) refuse('size of the variables in characters', MAX_CHARACTERS);
  if (measure.values > MAX_VALUES) refuse('number of values in the variables', MAX_VALUES);
  const isLong = measure.characters > LONG_CHARACTERS;
  const maxFaults = measure.values > MANY_VALUES ? 1 : isLong ? MAX_LISTED_FAULTS : undefined;
  return { maxFaults, hasEmptyList: measure.hasEmptyList };
}

function refuse(what: string, limit: number): never {
  throw new RequestFaults([limitExceeded(what, `more than ${limit}`, limit)]);
}

/** Goes no deeper once a limit is exceeded: values may be nested as deep as a body is long. */
function add(measure: Measure, value: unknown): void {
  measure.values += 1;
  if (typeof value === 'string') measure.characters += value.length + 2;
  else if (typeof value !== 'object' || value === null) measure.characters += 4;
  else {
    if (Array.isArray(value) && value.length === 0) measure.hasEmptyList = true;
    for (const name in value) {
      if (!Array.isArray(value)) measure.characters += name.length + 3;
      if (measure.characters > MAX_CHARACTERS || measure.values > MAX_VALUES) return;
      add(measure, (value as Readonly<Record<string, unknown>>)[name]);
    }
  }
}
