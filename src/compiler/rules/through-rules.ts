import { suggestion } from '../findings/wording.ts';
import { readThroughs } from '../model/resources/read-throughs.ts';
import { atOperation } from './place.ts';
import type { Check } from './rule.ts';

/** A list through another resource is one below a row that the other joins to the rows listed. */
export const throughList: Check = function* ({ operations, resources }) {
  for (const { operation, faults } of readThroughs(operations, resources))
    for (const { key, message, hint, unknown } of faults) {
      const named = unknown ? suggestion(unknown.name, unknown.known, hint) : hint;
      yield { severity: 'error', message, hint: named, ...atOperation(operation, key) };
    }
};

/** Below one of a resource, each list has a name of its own. */
export const throughName: Check = function* ({ resources }) {
  for (const { throughs } of resources) {
    for (const { operation, name, below } of throughs) {
      if (!below.schema.properties.has(name)) continue;
      yield {
        severity: 'error',
        message: `\`${operation.operationId}\` lists what is called \`${name}\`, as a property of \`${below.name}\` is.`,
        hint: 'Choose another last segment of its path: it is the name of the field in GraphQL.',
        ...atOperation(operation),
      };
    }
  }
};
