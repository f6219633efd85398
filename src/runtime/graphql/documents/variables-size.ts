import { limitExceeded } from './limits.ts';
import { RequestFaults } from './request-fault.ts';

/** Size of the JSON text of all variables of a request, about; a name of them and a value are a text each. */
const MAX_CHARACTERS = 65_536;

/** Values in all variables of a request, those in lists and objects included: each can be a fault of its own. */
const MAX_VALUES = 4_096;

interface Measure {
  characters: number;
  values: number;
}

/** Refuses variables that would take long to coerce, before anything looks into them. Throws `RequestFaults`. */
export function checkVariables(variables: Readonly<Record<string, unknown>>): void {
  const { characters, values } = add({ characters: 0, values: 0 }, variables);
  if (characters > MAX_CHARACTERS) refuse('size of the variables in characters', MAX_CHARACTERS);
  if (values > MAX_VALUES) refuse('number of values in the variables', MAX_VALUES);
}

function refuse(what: string, limit: number): never {
  throw new RequestFaults([limitExceeded(what, `more than ${limit}`, limit)]);
}

/** Ends early once a bound is passed. */
function add(measure: Measure, value: unknown): Measure {
  measure.values += 1;
  if (typeof value === 'string') measure.characters += value.length + 2;
  else if (typeof value === 'object' && value !== null) {
    for (const name in value) {
      if (!Array.isArray(value)) measure.characters += name.length + 3;
      add(measure, (value as Readonly<Record<string, unknown>>)[name]);
      if (measure.characters > MAX_CHARACTERS || measure.values > MAX_VALUES) break;
    }
  } else measure.characters += 4;
  return measure;
}
