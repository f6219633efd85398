import { posix } from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { codeName } from '../../graphql/names/code-name.ts';
import { rowTypeOf } from '../../model/naming.ts';
import { HEADER, textOf } from '../../sdl/generated-folder.ts';
import { pluginLoader } from './plugin-loader.ts';

export { codeName };

/** Folder of a project that holds all output; `generate --out` may send it elsewhere. */
export const OUTPUT = 'generated';
/** The types of the GraphQL schema. */
export const TYPES = `${OUTPUT}/types/graphql.ts`;
const RESOURCES = `${OUTPUT}/types/resources.ts`;
const SCHEMA = `${OUTPUT}/schema.graphql`;

/** JSON types of the scalars that travel as something else than graphql-codegen's guess. */
const SCALARS = {
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

/** How a schema reads in TypeScript, for every plugin and every output file. */
export const SCHEMA_TYPES = {
  scalars: SCALARS,
  defaultScalarType: 'unknown',
  enumsAsTypes: true,
  useTypeImports: true,
  immutableTypes: true,
  // The names of the schema, so that `HTTPError` and `line_item` are found again.
  namingConvention: { typeNames: codeName, enumValues: 'keep' },
} as const;

/** What resolvers take and answer. Mercurius reads `resolveType`, without graphql-codegen's `__`. */
const RESOLVER_TYPES = {
  skipTypename: true,
  internalResolversPrefix: '',
  contextType: 'unknown',
} as const;

/**
 * The additions of a project to the types of its GraphQL schema: more output files below `generated/`, and plugins or options of
 * graphql-codegen for the one there is, `generated/types/graphql.ts`.
 * @example
 * import { type CodegenExtension, lockstepCodegen } from 'lockstep/codegen';
 *
 * const extension: CodegenExtension = { generates: { 'generated/introspection.json': { plugins: ['introspection'] } } };
 * export default lockstepCodegen(extension);
 */
export type CodegenExtension = Partial<
  Pick<CodegenConfig, 'generates' | 'documents' | 'externalDocuments' | 'ignoreNoDocuments' | 'config'>
>;

/**
 * A configuration for graphql-codegen that Lockstep's compiler can apply to another schema.
 * @example
 * import { type LockstepCodegen, lockstepCodegen } from 'lockstep/codegen';
 *
 * const codegen: LockstepCodegen = lockstepCodegen();
 * export default codegen;
 */
export interface LockstepCodegen extends CodegenConfig {
  readonly extension: CodegenExtension;
}

/** What the configuration has to know of a contract. */
export interface CodegenContract {
  /** SDL, or a file of it. */
  readonly schema: string;
  /** Object types whose parent value is the row of a resource: `Product`. */
  readonly rowTypes: readonly string[];
  /** By enum, then by name of the value: what the OpenAPI document has for it, where that differs. */
  readonly enumValues: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What `generated/types/` imports Lockstep from. */
  readonly library: string;
}

type Output = Exclude<CodegenConfig['generates'][string], readonly unknown[]>;

/**
 * The default export of a project's `codegen.ts`. `npm run generate` applies it to the contract as it is compiled;
 * `npx graphql-codegen` to what was generated last. Paths are relative to the project.
 * @example
 * import { lockstepCodegen } from 'lockstep/codegen';
 *
 * export default lockstepCodegen({
 *   generates: { 'generated/introspection.json': { plugins: ['introspection'] } },
 * });
 */
export function lockstepCodegen(extension: CodegenExtension = {}): LockstepCodegen {
  return { ...codegenConfig(extension, generatedContract(), process.cwd()), extension };
}

/** The configuration for one contract; plugins and documents are looked for from `root`, the folder of the project. */
export function codegenConfig(extension: CodegenExtension, contract: CodegenContract, root: string): CodegenConfig {
  const { generates = {}, config, ...documents } = extension;
  const outputs = Object.entries(generates).map(([path, output]) => [posix.normalize(path), outputOf(output)] as const);
  const { [TYPES]: types = {}, ...others } = Object.fromEntries(outputs);
  return {
    ...documents,
    schema: contract.schema,
    cwd: root,
    pluginLoader: pluginLoader(root),
    importExtension: '.ts',
    config: { ...SCHEMA_TYPES, ...config, scalars: { ...SCALARS, ...config?.['scalars'] } },
    generates: {
      [TYPES]: resolverTypes(types, contract),
      ...Object.fromEntries(Object.entries(others).map(([path, output]) => [path, marked(path, output)])),
    },
  };
}

const outputOf = (given: CodegenConfig['generates'][string]): Output =>
  Array.isArray(given) ? { plugins: given } : given;

function resolverTypes(
  { plugins = [], config, ...output }: Output,
  { rowTypes, enumValues, library }: CodegenContract,
): Output {
  const mappers = Object.fromEntries(rowTypes.map((type) => [type, `./resources.ts#${rowTypeOf(type)}`]));
  return {
    ...output,
    // The plugin of resolvers takes an enum with values of its own for none at all.
    plugins: [MARK, { typescript: { enumValues } }, 'typescript-resolvers', ...plugins],
    config: { ...RESOLVER_TYPES, graphqlModule: library, ...config, mappers: { ...mappers, ...config?.['mappers'] } },
  };
}

/** First line of what the compiler may replace and remove. */
const MARK = { add: { content: HEADER.trimEnd() } };

/** A preset arranges its plugins itself, and not every format has comments. */
const marked = (path: string, output: Output): Output =>
  output.preset === undefined && /\.[cm]?[jt]sx?$/.test(path)
    ? { ...output, plugins: [MARK, ...(output.plugins ?? [])] }
    : output;

/** What the compiler has written of the contract; before that it has no rows yet. */
function generatedContract(): CodegenContract {
  const resources = textOf(RESOURCES);
  return {
    schema: SCHEMA,
    rowTypes: [...resources.matchAll(ROW)].map(([, type]) => type!),
    enumValues: enumValuesIn(resources),
    library: LIBRARY_IMPORT.exec(resources)?.[1] ?? 'lockstep',
  };
}

/** The first import of the types of resources. */
const LIBRARY_IMPORT = /^import type .* from '([^']+)';$/m;
const ROW = new RegExp(`^export type ${rowTypeOf('(\\w+)')} = `, 'gm');
const ENUM_VALUES = /^export interface EnumValues \{\n([\s\S]*?)^\}/m;

function enumValuesIn(text: string): CodegenContract['enumValues'] {
  const lines = (ENUM_VALUES.exec(text)?.[1] ?? '').matchAll(/^ {2}readonly (\w+): (.*);$/gm);
  return Object.fromEntries([...lines].map(([, type, values]) => [type!, JSON.parse(values!)]));
}
