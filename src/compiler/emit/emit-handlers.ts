import { isBearer } from '../../descriptor/bearer.ts';
import { operationWithId } from '../../descriptor/rest.ts';
import type { ContractModel } from '../model/model.ts';
import { upperFirst } from '../model/naming.ts';
import { filledProperties } from '../model/responses.ts';
import { securitySchemes } from '../model/security-schemes.ts';
import { fieldTypes } from './emit-fields.ts';
import { HEADER, key, quote } from './print.ts';

/**
 * `handlers.ts`: the types that hand-written code must meet. One optional override per action of a resource, one required
 * function per custom operation, in the place of all protocols or of HTTP alone, and one per security scheme that is not a
 * bearer token.
 */
export function emitHandlers(model: ContractModel, library: string): string {
  const fields = model.graphql && fieldTypes(model.graphql);
  const versions = Object.keys(model.versions ?? {});
  const types = [
    ...(fields?.isNeeded ? ['FieldHandler', 'RootFieldHandler'] : []),
    ...(fields ? ['ResolverContext'] : []),
    ...['EventHandlers', 'Job', 'OperationHandler', 'Overrides', 'RouteHandlers', 'Schedule', 'SecurityHandler'],
  ].sort();
  const codes = model.rest.operations.flatMap(({ operationId, code }) =>
    code ? [{ operationId, place: code.in }] : [],
  );
  const idsIn = (part: string) => codes.filter(({ place }) => place === part).map(({ operationId }) => operationId);
  const [custom, ofHttp] = [idsIn('operations'), idsIn('routes')];
  const schemes = otherSchemes(model);
  return `${HEADER}import { jobsOf, ${types.map((name) => `type ${name}`).join(', ')} } from '${library}';
${fields ? "import type { ErrorCode } from './errors.ts';\n" : ''}${fields ? `import type * as Graphql from './types/graphql.ts';\n` : ''}import type { operations } from './types/openapi.ts';
import type { DeclaredCodes, Resources } from './types/resources.ts';
${versions.map((name) => `import type { Step as ${stepName(name)} } from './versions/${name}/step.ts';\n`).join('')}
/** One function for each custom operation and all protocols. */
${members(
  'Operations',
  custom.map((id) => operationTypes(model, id)),
)}

/** Routes by operationId: those that only HTTP has, and replacements of others over REST. */
export type CodeRoutes = RouteHandlers<operations, Resources, DeclaredCodes${ofHttp.length > 0 ? `, ${ofHttp.map(quote).join(' | ')}` : ''}>;

/** Security handlers for credentials other than bearer tokens. */
${members('Security', schemes.map(securityTypes))}

${fields?.declarations ?? ''}/**
 * Makes a job: work that runs after the commit of what sends it.
 * @example
 * import { job } from '../../generated/handlers.ts';
 *
 * export const greet = job<{ readonly name: string }>('greet', {
 *   run({ name }, { log }) {
 *     log.info({ name }, 'hello');
 *   },
 * });
 */
export const job = jobsOf<Resources>();

/**
 * All hand-written code of this contract, which \`src/handlers/index.ts\` exports.
 * @example
 * import type { Handlers } from '../../generated/handlers.ts';
 *
 * export const handlers = { overrides, operations } satisfies Handlers;
 */
export interface Handlers {
  readonly overrides?: Overrides<Resources>;
  readonly operations${isOptional(custom)}: Operations;
  readonly security${isOptional(schemes)}: Security;
${fields ? `  readonly fields${fields.isNeeded ? '' : '?'}: Fields;\n` : ''}${versionTypes(versions)}  /** Code of operations that only HTTP has, and replacements of entries in \`routes.ts\`, over REST only. */
  readonly routes${isOptional(ofHttp)}: CodeRoutes;
${fields ? RESOLVERS : ''}  /** Code after the commit of changes. */
  readonly on?: EventHandlers<Resources>;
  /** Work after the commit, which \`send\` sends. */
  readonly jobs?: readonly Job<unknown>[];
  /** When jobs are sent without a request, by names of your own. */
  readonly schedules?: Readonly<Record<string, Schedule>>;
}

export type { DeclaredCodes, OperationHandler, Resources, SecurityHandler };
`;
}

const RESOLVERS = `  /** Replacements of resolvers in \`resolvers.ts\`, over GraphQL only. */
  readonly resolvers?: Graphql.Resolvers<ResolverContext<Resources, ErrorCode>>;
`;

function versionTypes(versions: readonly string[]): string {
  if (versions.length === 0) return '';
  const steps = versions.map((name) => `    readonly ${key(name)}: ${stepName(name)};\n`).join('');
  return `  /** The steps between the present version and each old one. */\n  readonly versions: {\n${steps}  };\n`;
}

/** `v1` → `StepOfV1`. */
const stepName = (version: string): string => `StepOf${upperFirst(version).replace(/[^A-Za-z0-9]/g, '_')}`;

/** An empty interface would accept anything. */
const members = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? `export type ${name} = Record<string, never>;`
    : `export interface ${name} {\n${lines.join('')}}`;

const isOptional = (required: readonly unknown[]): string => (required.length === 0 ? '?' : '');

function operationTypes({ document, rest }: ContractModel, operationId: string): string {
  const id = quote(operationId);
  const filled = filledProperties(document, operationWithId(rest.operations, operationId)).map(quote);
  const types = [
    `operations[${id}]`,
    'Resources',
    `DeclaredCodes[${id}]`,
    ...(filled.length > 0 ? [filled.join(' | ')] : []),
  ];
  return `  readonly ${key(operationId)}: OperationHandler<${types.join(', ')}>;\n`;
}

const securityTypes = (name: string): string => `  readonly ${key(name)}: SecurityHandler;\n`;

/** Schemes that operations use and that are not for bearer tokens. */
function otherSchemes({ document, operations }: ContractModel): string[] {
  const schemes = securitySchemes(document);
  const named = operations.flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name)),
  );
  return [...new Set(named)].filter((name) => !schemes[name] || !isBearer(schemes[name])).sort();
}
