import {
  buildSchema,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { CustomField, GraphqlDescriptor } from '../../descriptor/graphql.ts';
import type { GraphqlModel } from '../model/model.ts';
import { codeName } from './codegen/lockstep-codegen.ts';
import { key, quote } from './print.ts';

/** The part of `handlers.ts` for custom fields that have code of their own. */
export interface FieldTypes {
  /** The interface `Fields`. */
  readonly declarations: string;
  readonly isNeeded: boolean;
}

export function fieldTypes({ sdl, descriptor }: GraphqlModel): FieldTypes {
  const custom = Object.entries(descriptor.fields).filter(([, field]) => field.kind === 'custom' && !field.isOperation);
  if (custom.length === 0)
    return { declarations: declared('export type Fields = Record<string, never>;'), isNeeded: false };
  const schema = buildSchema(sdl, { assumeValid: true });
  const byType = Map.groupBy(
    custom.map(([coordinate]) => coordinate.split('.') as [string, string]),
    ([type]) => type,
  );
  const members = [...byType].map(([type, fields]) =>
    typeMember(
      schema,
      type,
      fields.map(([, field]) => field),
      descriptor,
    ),
  );
  return { declarations: declared(`export interface Fields {\n${members.join('')}}`), isNeeded: true };
}

const declared = (fields: string): string =>
  `/** Handlers of the custom GraphQL fields that no operation answers, by type and field. */\n${fields}\n\n`;

function typeMember(
  schema: GraphQLSchema,
  typeName: string,
  fields: readonly string[],
  { fields: described }: GraphqlDescriptor,
): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) return '';
  const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
  const members = fields.map(
    (name) =>
      `    readonly ${key(name)}: ${handlerType(typeName, type.getFields()[name]!, isRoot, described[`${typeName}.${name}`] as CustomField)};\n`,
  );
  return `  readonly ${key(typeName)}: {\n${members.join('')}  };\n`;
}

/** A handler of a root field gets its arguments; that of any other field also gets all parents of a level. */
function handlerType(
  type: string,
  { name, args, type: answer }: GraphQLField<unknown, unknown>,
  isRoot: boolean,
  { operationId }: CustomField,
): string {
  const argsType = args.length === 0 ? 'object' : `Graphql.${codeName(type)}${codeName(name)}Args`;
  const codes = operationId === undefined ? 'ErrorCode' : `DeclaredCodes[${quote(operationId)}]`;
  const parent = isRoot ? '' : `Graphql.ResolversParentTypes['${type}'], `;
  return `${isRoot ? 'RootFieldHandler' : 'FieldHandler'}<${parent}${argsType}, ${answerType(answer)}, Resources, ${codes}>`;
}

function answerType(type: GraphQLOutputType): string {
  if (isNonNullType(type)) return bareType(type.ofType);
  return `${bareType(type)} | null | undefined`;
}

function bareType(type: GraphQLOutputType): string {
  if (isListType(type)) return `readonly (${answerType(type.ofType)})[]`;
  if (isEnumType(type)) return `Graphql.${codeName(type.name)}`;
  return `Graphql.ResolversParentTypes['${String(type)}']`;
}
