import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GraphQLNamedType, type GraphQLSchema, isEnumType } from 'graphql';
import type { GraphqlInput } from '../common/client-language.ts';
import { copyLayer, writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { customScalars } from '../common/scalars.ts';
import { inScratchFolder } from '../common/scratch-folder.ts';
import { goDocuments, goSchema } from './go-documents.ts';
import { GO_MISSING, goGraphqlGenerator } from './go-generator.ts';
import type { GoNames } from './go-names.ts';
import { goSubscriptions } from './go-subscriptions.ts';

/** Types of the contract's scalars, `.` for the package's own; any other is what JSON has. */
const SCALARS: Readonly<Record<string, string>> = {
  BigInt: '.BigInt',
  Date: 'github.com/oapi-codegen/runtime/types.Date',
  DateTime: 'time.Time',
  Decimal: 'string',
  EmailAddress: 'string',
  SafeInt: 'int64',
  URL: 'string',
};

/** Writes the package `graphql` into a Go client, by genqlient, and its part of the layer. Throws `ConfigError`. */
export async function goGraphql(graphql: GraphqlInput, folder: string, names: GoNames): Promise<void> {
  const generator = await goGraphqlGenerator();
  const layer = new URL('graphql/', import.meta.url);
  await copyLayer(layer, folder, { 'package client': `package ${names.package}` });
  await copyLayer(new URL('graphql/', layer), join(folder, 'graphql'), {});
  await writeText(join(folder, 'creating.go'), creatingOf(names, graphql.creating));
  await inScratchFolder(async (scratch) => {
    await writeText(join(scratch, 'schema.graphql'), goSchema(graphql));
    await writeText(join(scratch, 'documents.graphql'), goDocuments(graphql));
    await writeText(join(scratch, 'genqlient.yaml'), JSON.stringify(configOf(graphql, folder, names)));
    await runTool({ command: generator, args: [join(scratch, 'genqlient.yaml')], cwd: folder, missing: GO_MISSING });
  });
  const subscriptions = graphql.documents.filter(({ kind }) => kind === 'subscription');
  const generated = await readFile(join(folder, 'graphql', 'graphql.gen.go'), 'utf8');
  if (subscriptions.length > 0)
    await writeText(join(folder, 'graphql', 'subscriptions.go'), goSubscriptions(subscriptions, generated, names));
}

/** JSON is YAML. */
function configOf({ schema }: GraphqlInput, folder: string, { module }: GoNames): object {
  const typeOf = (name: string): string =>
    (SCALARS[name] ?? 'encoding/json.RawMessage').replace(/^\./, `${module}/graphql.`);
  return {
    schema: 'schema.graphql',
    operations: ['documents.graphql'],
    generated: join(folder, 'graphql', 'graphql.gen.go'),
    package: 'graphql',
    optional: 'generic',
    optional_generic_type: 'github.com/oapi-codegen/nullable.Nullable',
    casing: { default: 'auto_camel_case', all_enums: 'default', enums: alikeEnums(schema) },
    bindings: Object.fromEntries(customScalars(schema).map((name) => [name, { type: typeOf(name) }])),
  };
}

/** Enums whose values have the same constants but for what genqlient writes as the contract does: `OPEN` and `Open`. */
function alikeEnums(schema: GraphQLSchema): Readonly<Record<string, 'raw'>> {
  const constant = (value: string): string =>
    value.replace(/_*([^_])([^_]*)/g, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase());
  const isAlike = (type: GraphQLNamedType): boolean => {
    const constants = isEnumType(type) ? type.getValues().map(({ name }) => constant(name)) : [];
    return new Set(constants).size < constants.length;
  };
  const alike = Object.values(schema.getTypeMap()).filter(isAlike);
  return Object.fromEntries(alike.map(({ name }) => [name, 'raw']));
}

const creatingOf = (names: GoNames, creating: readonly string[]): string => `package ${names.package}

// Mutations that create: the server keeps their Idempotency-Key.
var creating = []string{${creating.map((name) => JSON.stringify(name)).join(', ')}}
`;
