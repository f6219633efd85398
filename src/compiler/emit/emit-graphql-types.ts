import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';
import type { GraphqlModel } from '../model/model.ts';
import { rowTypeOf } from './emit-resource-types.ts';
import { HEADER } from './print.ts';

/** JSON types of the scalars that travel as something else than graphql-codegen's guess. */
export const SCALARS = {
  ID: 'string',
  BigInt: 'string',
  Date: 'string',
  DateTime: 'string',
  Decimal: 'string',
  EmailAddress: 'string',
  SafeInt: 'number',
  URL: 'string',
  UUID: 'string',
} as const;

/** `types/graphql.ts`: the schema's types, and what resolvers take and answer (graphql-codegen). */
export async function emitGraphqlTypes({ sdl, descriptor }: GraphqlModel): Promise<string> {
  const mappers = Object.keys(descriptor.types).map((type) => [type, `./resources.ts#${rowTypeOf(type)}`]);
  const config = {
    scalars: SCALARS,
    defaultScalarType: 'unknown',
    enumsAsTypes: true,
    useTypeImports: true,
    immutableTypes: true,
    skipTypename: true,
    internalResolversPrefix: '',
    importExtension: '.ts',
    mappers: Object.fromEntries(mappers),
  };
  const text = await codegen({
    filename: 'graphql.ts',
    schema: parse(sdl),
    documents: [],
    config,
    plugins: [{ typescript: {} }, { 'typescript-resolvers': {} }],
    pluginMap: { typescript, 'typescript-resolvers': resolvers },
  });
  return `${HEADER}${text}`;
}
