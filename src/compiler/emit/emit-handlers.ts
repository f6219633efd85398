import { isBearer } from '../../descriptor/bearer.ts';
import type { ContractModel, OperationModel } from '../model/model.ts';
import { upperFirst } from '../model/naming.ts';
import { securitySchemes } from '../model/security-schemes.ts';
import { fieldTypes } from './emit-fields.ts';
import { HEADER, key, quote } from './print.ts';

/**
 * `handlers.ts`: the types that hand-written code must meet. One optional override per action of a resource,
 * one required handler per custom operation and per security scheme that is not a bearer token.
 */
export function emitHandlers(model: ContractModel, library: string): string {
  const fields = model.graphql && fieldTypes(model.graphql);
  const versions = Object.keys(model.versions ?? {});
  const types = [
    ...(fields?.isNeeded ? ['FieldHandler', 'RootFieldHandler'] : []),
    ...(fields ? ['ResolverContext'] : []),
    ...['OperationHandler', 'Overrides', 'RouteHandlers', 'SecurityHandler'],
  ].sort();
  const custom = model.operations.filter(isCustom);
  const schemes = otherSchemes(model);
  return `${HEADER}import type { ${types.join(', ')} } from '${library}';
${fields ? "import type { ErrorCode } from './errors.ts';\n" : ''}${fields ? `import type * as Graphql from './types/graphql.ts';\n` : ''}import type { operations } from './types/openapi.ts';
import type { DeclaredCodes, Resources } from './types/resources.ts';
${versions.map((name) => `import type { Step as ${stepName(name)} } from './versions/${name}/step.ts';\n`).join('')}
/** Handlers of the custom operations. */
${members('Operations', custom.map(operationTypes))}

/** Security handlers for credentials other than bearer tokens. */
${members('Security', schemes.map(securityTypes))}

${fields?.declarations ?? ''}/** All hand-written code of this contract. */
export interface Handlers {
  readonly overrides?: Overrides<Resources>;
  readonly operations${isOptional(custom)}: Operations;
  readonly security${isOptional(schemes)}: Security;
${fields ? `  readonly fields${fields.isNeeded ? '' : '?'}: Fields;\n` : ''}${versionTypes(versions)}  /** Replacements of routes in \`routes.ts\`, over REST only. */
  readonly routes?: RouteHandlers<operations, Resources, DeclaredCodes>;
${fields ? RESOLVERS : ''}}

export type { DeclaredCodes, OperationHandler, Resources, SecurityHandler };
`;
}

const RESOLVERS = `  /** Replacements of resolvers in \`resolvers.ts\`, over GraphQL only. */
  readonly resolvers?: Graphql.Resolvers<ResolverContext<Resources, ErrorCode>>;
`;

function versionTypes(versions: readonly string[]): string {
  if (versions.length === 0) return '';
  const steps = versions.map((name) => `    readonly ${key(name)}: ${stepName(name)};\n`).join('');
  return `  /** How each old version differs from the current one. */\n  readonly versions: {\n${steps}  };\n`;
}

/** `v1` → `StepOfV1`. */
const stepName = (version: string): string => `StepOf${upperFirst(version).replace(/[^A-Za-z0-9]/g, '_')}`;

/** An empty interface would accept anything. */
const members = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? `export type ${name} = Record<string, never>;`
    : `export interface ${name} {\n${lines.join('')}}`;

const isOptional = (required: readonly unknown[]): string => (required.length === 0 ? '?' : '');

const isCustom = (operation: OperationModel): boolean => operation.default === undefined;

const operationTypes = ({ operationId }: OperationModel): string =>
  `  readonly ${key(operationId)}: OperationHandler<operations[${quote(operationId)}], Resources, DeclaredCodes[${quote(operationId)}]>;\n`;

const securityTypes = (name: string): string => `  readonly ${key(name)}: SecurityHandler;\n`;

/** Schemes that operations use and that are not for bearer tokens. */
function otherSchemes({ document, operations }: ContractModel): string[] {
  const schemes = securitySchemes(document);
  const named = operations.flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name)),
  );
  return [...new Set(named)].filter((name) => !schemes[name] || !isBearer(schemes[name])).sort();
}
