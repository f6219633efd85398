import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { namingOf } from '../model/name-case.ts';
import { camelCase, lowerFirst } from '../model/naming.ts';
import { atParameter } from './place.ts';
import { type Check, severityIn } from './rule.ts';

/** Every object of JavaScript has a member of this name already. */
const isInherited = (name: string): boolean => name in {};

/**
 * Properties and parameters have names that no object of JavaScript has without them: handlers and clients in it, and the tools
 * that read contracts, could not tell whether one was sent.
 */
export const propertyInherited: Check = function* (draft) {
  const isSnake = namingOf(draft.document).case === 'snake_case';
  const fault = (name: string) => ({
    severity: severityIn(draft),
    message: `\`${name}\` is a member that every object has in JavaScript: whether it was sent could not be told.`,
    hint: `Write a name of two words, such as \`${isSnake ? `${name}_name` : `${name.replace(/\W|_/g, '')}Name`}\`.`,
  });
  for (const schema of draft.schemas) {
    const holder = schema['properties'];
    for (const name of isSchemaObject(holder) ? Object.keys(holder) : [])
      if (isInherited(name) || (isSnake && isInherited(lowerFirst(camelCase(name)))))
        yield { ...fault(name), node: holder as object, key: name };
  }
  const parameters = new Set(draft.operations.flatMap((operation) => operation.parameters));
  for (const parameter of parameters)
    if (isInherited(parameter.name)) yield { ...fault(parameter.name), ...atParameter(parameter) };
};
