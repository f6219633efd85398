import { connectionInverse, connectionPath, connectionResource } from './connection-rules.ts';
import { authScheme, authScope, limitsPositive } from './directive-rules.ts';
import { subscriptionField } from './field-rules.ts';
import { defaultOfType, inputName } from './input-rules.ts';
import type { SdlCheck } from './sdl-rule.ts';
import { interfaceAnswered, scalarKnown } from './type-rules.ts';

/** All rules of the SDL by name, in the order in which they are checked. */
export const SDL_RULES: Readonly<Record<string, SdlCheck>> = {
  'sdl-scalar': scalarKnown,
  'sdl-interface': interfaceAnswered,
  'sdl-subscription': subscriptionField,
  'sdl-connection-resource': connectionResource,
  'sdl-connection-path': connectionPath,
  'sdl-connection-inverse': connectionInverse,
  'sdl-input-name': inputName,
  'sdl-default': defaultOfType,
  'sdl-limits': limitsPositive,
  'sdl-auth-scheme': authScheme,
  'sdl-auth-scope': authScope,
};
