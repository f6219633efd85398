import { type GraphQLSchema, isObjectType } from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { Finding } from '../../findings/finding.ts';
import type { GraphqlView } from '../names/graphql-view.ts';
import { connectionInverse, connectionPath, connectionResource } from './connection-rules.ts';
import { authScheme, authScope, limitsPositive } from './directive-rules.ts';
import type { SdlDraft, SdlField, SdlRule } from './sdl-rule.ts';
import {
  defaultOfType,
  inputName,
  interfaceAnswered,
  mappedSubscription,
  scalarKnown,
  subscriptionField,
  typeNamed,
} from './type-rules.ts';

/** Checks every rule on the SDL of a contract; what has errors in its OpenAPI side is the caller's to leave out. Nothing is checked without SDL. */
export function checkSdl(
  { draft: contract, resources: all }: GraphqlView,
  descriptor: GraphqlDescriptor,
): readonly Finding[] {
  const { document, source } = contract;
  const { sdl } = source;
  if (!sdl?.schema) return [];
  const resources = new Map(all.map((resource) => [resource.key, resource]));
  const fields = fieldsOf(sdl.schema, descriptor);
  const draft: SdlDraft = { schema: sdl.schema, document, resources, fields };
  return SDL_RULES.flatMap(({ id: rule, ...own }) =>
    [...own.check(draft)].map(({ severity, message, hint, node, coordinate }): Finding => {
      return { rule, severity: severity ?? 'error', message, hint, location: sdl.locate(node, coordinate) };
    }),
  );
}

function fieldsOf(schema: GraphQLSchema, { fields }: GraphqlDescriptor): readonly SdlField[] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return types
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => {
        const coordinate = `${type.name}.${field.name}`;
        return { type, field, coordinate, descriptor: fields[coordinate] };
      }),
    );
}

/** All rules of the SDL, in the order in which they are checked. */
export const SDL_RULES: readonly SdlRule[] = [
  scalarKnown,
  interfaceAnswered,
  typeNamed,
  subscriptionField,
  mappedSubscription,
  connectionResource,
  connectionPath,
  connectionInverse,
  inputName,
  defaultOfType,
  limitsPositive,
  authScheme,
  authScope,
];
