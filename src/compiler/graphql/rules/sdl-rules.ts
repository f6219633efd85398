import { argumentMissing, argumentType, argumentUnknown } from './argument-rules.ts';
import { connectionInverse, connectionPath, connectionResource, connectionShape } from './connection-rules.ts';
import { authScheme, authScope, limitsPositive, listSize } from './directive-rules.ts';
import { fieldType, operationKnown, subscriptionField } from './field-rules.ts';
import { defaultOfType, inputName } from './input-rules.ts';
import type { SdlCheck } from './sdl-rule.ts';
import { interfaceAnswered, scalarKnown, unionSchema } from './type-rules.ts';

/** All rules of the SDL by name, in the order in which they are checked. */
export const SDL_RULES: Readonly<Record<string, SdlCheck>> = {
  'sdl-scalar': scalarKnown,
  'sdl-union': unionSchema,
  'sdl-interface': interfaceAnswered,
  'sdl-field-type': fieldType,
  'sdl-subscription': subscriptionField,
  'sdl-operation': operationKnown,
  'sdl-connection-resource': connectionResource,
  'sdl-connection-path': connectionPath,
  'sdl-connection-inverse': connectionInverse,
  'sdl-connection-shape': connectionShape,
  'sdl-argument-missing': argumentMissing,
  'sdl-argument-unknown': argumentUnknown,
  'sdl-argument-type': argumentType,
  'sdl-input-name': inputName,
  'sdl-default': defaultOfType,
  'sdl-list-size': listSize,
  'sdl-limits': limitsPositive,
  'sdl-auth-scheme': authScheme,
  'sdl-auth-scope': authScope,
};
