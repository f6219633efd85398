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

/** Refuses variables that would take long to coerce. Throws `RequestFaults`. */
export function checkVariables(variables: Readonly<Record<string, unknown>>): void {
  const measure: Measure = { characters: 0, values: 0 };
  add(measure, variables);
  if (measure.characters > MAX_CHARACTERS) refuse('size of the variables in characters', MAX_CHARACTERS);
  if (measure.values > MAX_VALUES) refuse('number of values in the variables', MAX_VALUES);
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
