import { MAX_LISTED_FAULTS } from '../../errors/bounded.ts';
import { limitExceeded } from './limits.ts';
import { RequestFaults } from './request-fault.ts';

/** Approximate size of the JSON text of all variables of a request, including single names and values. */
const MAX_CHARACTERS = 65_536;

/** Values in all variables of a request, including those in lists and objects: each can be a fault of its own. */
const MAX_VALUES = 4_096;

interface Measure {
  characters: number;
  values: number;
}

/** Beyond these, the faults of variables are looked for ahead of the execution; of many values, the first fault alone. */
const LONG_CHARACTERS = 8_192;
const MANY_VALUES = 200;

/**
 * Refuses variables that would take long to coerce. Returns how many of their faults may be looked for: graphql-js prints the
 * whole variable into each. Undefined: they are so small that it does not matter. Throws `RequestFaults`.
 */
export function checkVariables(variables: Readonly<Record<string, unknown>>): number | undefined {
  const measure: Measure = { characters: 0, values: 0 };
  add(measure, variables);
  if (measure.characters > MAX_CHARACTERS) refuse('size of the variables in characters', MAX_CHARACTERS);
  if (measure.values > MAX_VALUES) refuse('number of values in the variables', MAX_VALUES);
  if (measure.values > MANY_VALUES) return 1;
  return measure.characters > LONG_CHARACTERS ? MAX_LISTED_FAULTS : undefined;
}

function refuse(what: string, limit: number): never {
  throw new RequestFaults([limitExceeded(what, `more than ${limit}`, limit)]);
}

/** Goes no deeper once a limit is exceeded: values may be nested as deep as a body is long. */
function add(measure: Measure, value: unknown): void {
  measure.values += 1;
  if (typeof value === 'string') measure.characters += value.length + 2;
  else if (typeof value !== 'object' || value === null) measure.characters += 4;
  else
    for (const name in value) {
      if (!Array.isArray(value)) measure.characters += name.length + 3;
      if (measure.characters > MAX_CHARACTERS || measure.values > MAX_VALUES) return;
      add(measure, (value as Readonly<Record<string, unknown>>)[name]);
    }
}
