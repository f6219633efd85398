import {
  type GraphQLArgument,
  type GraphQLInputField,
  isInputObjectType,
  isObjectType,
  isRequiredInputField,
  print,
  valueFromAST,
} from 'graphql';
import type { SdlRule } from './sdl-rule.ts';

/** Names that become none of Go's, whose names begin with a letter. */
const UNSPEAKABLE = /^_*\d/;

export const inputName: SdlRule = {
  id: 'sdl-input-name',
  summary: 'What an input requires has a name that clients for Go have, too.',
  advice:
    'A name such as `_2fa`, a digit behind underscores, is none. Begin the name of the property with a letter, or do not require it.',
  *check({ schema }) {
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
  },
};

export const defaultOfType: SdlRule = {
  id: 'sdl-default',
  summary: 'A default is a value of its type.',
  advice:
    'One that is not, such as `Int = "many"`, or a name that the enum does not have, would stand for none without a word.',
  *check({ schema }) {
    for (const type of Object.values(schema.getTypeMap())) {
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) yield* faultyDefault(field, `${type.name}.${field.name}`);
      if (isObjectType(type))
        for (const field of Object.values(type.getFields()))
          for (const argument of field.args)
            yield* faultyDefault(argument, `${type.name}.${field.name}(${argument.name}:)`);
    }
  },
};

function* faultyDefault({ astNode, type }: GraphQLArgument | GraphQLInputField, coordinate: string) {
  const written = astNode?.defaultValue;
  if (!written || valueFromAST(written, type) !== undefined) return;
  yield {
    message: `The default \`${print(written)}\` of \`${coordinate}\` is no value of \`${String(type)}\`.`,
    hint: 'Write one of its values, or leave the default out.',
    node: written,
    coordinate,
  };
}
