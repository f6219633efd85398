import { isInputObjectType, isRequiredInputField } from 'graphql';
import type { SdlCheck } from './sdl-rule.ts';

/** Names that become none of Go's, whose names begin with a letter. */
const UNSPEAKABLE = /^_*\d/;

/** What an input requires has a name in each language that clients are made for: others leave it out, and are refused. */
export const inputName: SdlCheck = function* ({ schema }) {
  for (const type of Object.values(schema.getTypeMap()).filter(isInputObjectType)) {
    for (const field of Object.values(type.getFields())) {
      if (!isRequiredInputField(field) || !UNSPEAKABLE.test(field.name)) continue;
      const coordinate = `${type.name}.${field.name}`;
      yield {
        severity: 'warning',
        message: `\`${coordinate}\` is required, and clients for Go have no name for it: they cannot send a \`${type.name}\`.`,
        hint: 'Begin the name of the property with a letter, or do not require it.',
        node: field.astNode,
        coordinate,
      };
    }
  }
};
