import type { OpenApiDocument, SecurityScheme } from '../../descriptor/document.ts';
import type { ContractModel, OperationModel } from '../model/model.ts';
import { upperFirst } from '../model/naming.ts';
import { fieldTypes } from './emit-fields.ts';
import { HEADER, key, quote } from './print.ts';

/**
 * `handlers.ts`: the types that hand-written code must meet. One optional override per action of a resource,
 * one required handler per custom operation and per security scheme that is not a bearer token.
 */
export function emitHandlers(model: ContractModel, library: string): string {
  const fields = model.graphql && fieldTypes(model.graphql);
  const versions = Object.keys(model.versions ?? {});
  const fieldHandlers = fields?.isNeeded ? ['FieldHandler', 'RootFieldHandler'] : [];
  const types = [...fieldHandlers, 'OperationHandler', 'Overrides', 'SecurityHandler'].sort();
  return `${HEADER}import type { ${types.join(', ')} } from '${library}';
${fields?.isNeeded ? `import type * as Graphql from './types/graphql.ts';\n` : ''}import type { operations } from './types/openapi.ts';
import type { Resources } from './types/resources.ts';
${versions.map((name) => `import type { Step as ${stepName(name)} } from './versions/${name}/step.ts';\n`).join('')}
/** Handlers of the operations that no convention serves. */
${members('Operations', model.operations.filter(isCustom).map(operationTypes))}

/** Callers known by other credentials than bearer tokens. */
${members('Security', securitySchemes(model).map(securityTypes))}

${fields?.declarations ?? ''}/** All hand-written code of this contract. */
export interface Handlers {
  readonly overrides?: Overrides<Resources>;
  readonly operations${isOptional(model.operations.filter(isCustom))}: Operations;
  readonly security${isOptional(securitySchemes(model))}: Security;
${fields ? `  readonly fields${fields.isNeeded ? '' : '?'}: Fields;\n` : ''}${versions.length > 0 ? `  /** How each old version is told in the words of the present one. */\n  readonly versions: {\n${versions.map((name) => `    readonly ${key(name)}: ${stepName(name)};\n`).join('')}  };\n` : ''}}

export type { OperationHandler, Resources, SecurityHandler };
`;
}

/** `v1` → `StepOfV1`. */
const stepName = (version: string): string => `StepOf${upperFirst(version).replace(/[^A-Za-z0-9]/g, '_')}`;

/** An interface without a member would take anything. */
const members = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? `export type ${name} = Record<string, never>;`
    : `export interface ${name} {\n${lines.join('')}}`;

const isOptional = (required: readonly unknown[]): string => (required.length === 0 ? '?' : '');

const isCustom = (operation: OperationModel): boolean => operation.default === undefined;

const operationTypes = ({ operationId }: OperationModel): string =>
  `  readonly ${key(operationId)}: OperationHandler<operations[${quote(operationId)}], Resources>;\n`;

const securityTypes = (name: string): string => `  readonly ${key(name)}: SecurityHandler;\n`;

/** Schemes that operations name and that no bearer token serves. */
function securitySchemes({ document, operations }: ContractModel): string[] {
  const named = operations.flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name)),
  );
  return [...new Set(named)].filter((name) => !isBearer(document, name)).sort();
}

function isBearer(document: OpenApiDocument, name: string): boolean {
  const scheme: SecurityScheme | undefined = document.components?.securitySchemes?.[name];
  if (scheme?.type === 'http') return scheme.scheme?.toLowerCase() === 'bearer';
  return scheme?.type === 'oauth2' || scheme?.type === 'openIdConnect';
}
