import { serverUrl } from '../../../descriptor/base-path.ts';
import type { OpenApiDocument, Operation, Parameter } from '../../../descriptor/document.ts';
import {
  type Action,
  furtherPaths,
  isAction,
  namingProperty,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import { pathParameters } from '../../../descriptor/sent-path.ts';
import { typesOf as typesOfSchema } from '../../json-schema/types-of.ts';
import type { ContractModel, OperationModel } from '../../model/model.ts';
import { memberOf, type ResourceTree, resourcesIn, treesOf } from '../clients/resource-tree.ts';
import { keyType, parameterTypes } from '../parameter-types.ts';
import { key, literal, quote } from '../print.ts';
import { answersOf, bodiesOf } from './sdk-contents.ts';
import { commentOf, errorClassesOf } from './sdk-errors.ts';
import { CLIENT_MEMBERS, ExportNames } from './sdk-names.ts';
import { identifier, pageOf, typesOf } from './sdk-types.ts';
import type { ModuleSource } from './transpile.ts';

/** Of each resource an object with its actions; of each custom operation a function; and `createClient`. */
export function sdkResources(model: ContractModel): ModuleSource {
  const { document } = model;
  const names = namesOf(model, exportNames(model));
  const trees = names.trees.map(([tree, name]) => resourceText(model, tree, name));
  const functions = names.operations.map(([operation, name]) => operationText(document, operation, name));
  const imports = `import { makeError } from './errors.ts';
import type { components, operations, paths, Readable, Writable } from './openapi.ts';
import { type Client as AnyClient, type ClientOptions, connect } from './runtime/client.ts';
${functions.length > 0 ? "import { type AnswerOf, type ApiCall, call, type CallOptions, type RequestOf } from './runtime/operation.ts';\n" : ''}${trees.length > 0 ? "import { type Actions, resource } from './runtime/resource.ts';\n" : ''}`;
  const head = `export { ApiError, ConnectionError, type FieldError, UnexpectedAnswerError } from './runtime/api-error.ts';
export { type ErrorCode, isErrorCode, ${errorClassesOf(model).join(', ')} } from './errors.ts';
export type { AnyPage, List } from './runtime/list.ts';
export type { ApiAnswer, ApiCall, CallOptions, ConditionalCall, ConditionalOptions, UnchangedAnswer } from './runtime/operation.ts';
export type { RetryOptions, SendAttempt, SendHooks } from './runtime/send.ts';
${trees.length > 0 ? "export type { Actions, CreateOptions, WriteOptions } from './runtime/resource.ts';\n" : ''}export type { ClientOptions, components, operations, paths };

type Schemas = components['schemas'];
type QueryOf<Id extends keyof operations> = Omit<NonNullable<operations[Id]['parameters']['query']>, 'cursor'>;

/** A connection to one server, as one caller. */
export type Client = AnyClient<paths>;

/**
 * A client of ${commentOf(document.info.title)} for one server and one caller. Throws \`TypeError\` for an address without a host.
 * @example const client = createClient({ baseUrl: 'https://api.example.com/v1', token: () => readToken() });
 */
export function createClient(options: ClientOptions = {}): Client {
  return connect<paths>(options, { baseUrl: ${quote(serverUrl(document.servers?.[0]) || '/')}, makeError });
}
`;
  return { imports, parts: [head, ...trees, ...functions] };
}

/** What the package calls the things of the contract. */
export interface SdkNames {
  /** The expression for a resource, or a list through another, by its key: `orders.items`. */
  readonly resources: ReadonlyMap<string, string>;
  /** The function of a custom operation, by its id. */
  readonly operations: ReadonlyMap<string, string>;
}

/** The names by which `sdkResources` exports resources and custom operations. */
export function sdkNames(model: ContractModel, names: ExportNames = exportNames(model)): SdkNames {
  const resources = new Map<string, string>();
  const visit = ({ resource, children }: ResourceTree, expression: string): void => {
    if (resource) resources.set(resource.key, expression);
    for (const child of children) visit(child, memberAccess(expression, memberOf(child)));
  };
  const { trees, operations } = namesOf(model, names);
  for (const [tree, name] of trees) visit(tree, name);
  return { resources, operations: new Map(operations.map(([{ operationId }, name]) => [operationId, name])) };
}

/** The same as expressions on a client of the entry `bound`: `client.orders.items`. */
export function boundNames(model: ContractModel): SdkNames {
  const { resources, operations } = sdkNames(model, exportNames(model, CLIENT_MEMBERS));
  const onClient = (names: ReadonlyMap<string, string>) =>
    new Map([...names].map(([name, expression]) => [name, `client.${expression}`]));
  return { resources: onClient(resources), operations: onClient(operations) };
}

/** The main entry, as its neighbours import it. */
const MAIN = `'./index.ts'`;

/** The entry `bound`: a client with every resource and custom operation as a member. */
export function sdkBound(model: ContractModel): string {
  const exported = exportsOf(model, exportNames(model));
  const members = exportsOf(model, exportNames(model, CLIENT_MEMBERS));
  const pairs = members.map((member, at) => [member, `api.${exported[at]}`] as const);
  return `import * as api from ${MAIN};
import { type Bound, bound } from './runtime/bound.ts';
export * from ${MAIN};

/** A connection to one server, as one caller, with all that the API does. */
export interface Client extends api.Client, Bound<{ ${pairs.map(([member, from]) => `readonly ${member}: typeof ${from}`).join('; ')} }> {}

/**
 * A client of ${commentOf(model.document.info.title)} for one server and one caller. Throws \`TypeError\` for an address without a host.
 * @example const client = createClient({ baseUrl: 'https://api.example.com/v1', token: () => readToken() });
 */
export function createClient(options: api.ClientOptions = {}): Client {
  return bound(api.createClient(options), { ${pairs.map((pair) => pair.join(': ')).join(', ')} });
}
`;
}

/** Names beside those of the errors' classes, and the others. */
const exportNames = (model: ContractModel, others: readonly string[] = []): ExportNames =>
  new ExportNames([...errorClassesOf(model), ...others]);

/** The resources that belong to none, and the custom operations, each with its name. */
function namesOf(model: ContractModel, names: ExportNames) {
  const named = <T>(things: readonly T[], wanted: (thing: T) => string, suffix: string) => {
    const taken = names.takeAll(things.map(wanted), suffix);
    return things.map((thing, at) => [thing, taken[at]!] as const);
  };
  return {
    trees: named(treesOf(model), ({ name }) => name, 'Resource'),
    operations: named(customOf(model), ({ operationId }) => operationId, 'Operation'),
  };
}

/** In the order of `namesOf`. */
function exportsOf(model: ContractModel, names: ExportNames): readonly string[] {
  const { trees, operations } = namesOf(model, names);
  return [...trees, ...operations].map(([, name]) => name);
}

const memberAccess = (expression: string, name: string): string =>
  key(name) === name ? `${expression}.${name}` : `${expression}[${key(name)}]`;

/** The operations that no action of a resource answers, and those that look one up. */
function customOf({ operations, resources }: ContractModel): readonly OperationModel[] {
  const keyed = new Set(resources.flatMap((one) => furtherPaths(one).map(({ operationId }) => operationId)));
  return operations.filter(
    ({ default: own, operationId }) => own === undefined || !isAction(own.action) || keyed.has(operationId),
  );
}

function resourceText(model: ContractModel, tree: ResourceTree, name: string): string {
  const { path = tree.name } = tree.resource ?? {};
  const words = tree.resource ? `Resources of the type \`${tree.resource.name}\`` : `What is below \`/${tree.name}\``;
  // A list through another resource has the types of what it lists.
  const own = resourcesIn(tree).filter((resource) => model.resources.includes(resource));
  return `${own.map((resource) => typesOf(model, resource)).join('')}/** ${commentOf(`${words}: \`${path}\`.`)} */
export const ${name}: ${typeOf(model, tree)} = ${expressionOf(model, tree)};
`;
}

function typeOf(model: ContractModel, { resource, children }: ResourceTree): string {
  const below = children.map((child) => `readonly ${key(memberOf(child))}: ${typeOf(model, child)}`).join('; ');
  const own = resource ? actionsType(model, resource) : undefined;
  if (!own) return `{ ${below} }`;
  return below === '' ? own : `${own} & { ${below} }`;
}

function actionsType(model: ContractModel, resource: ResourceDescriptor): string {
  const { schemas, actions, list } = resource;
  const of = (schema: string | undefined) => (schema ? identifier(model, schema) : 'never');
  const names = Object.keys(actions) as Action[];
  const offered = [...names, ...(names.includes('update') && names.includes('get') ? ['change'] : [])];
  const page = actions.list ? pageOf(model, resource) : 'never';
  const query = list && actions.list ? `QueryOf<${quote(actions.list.operationId)}>` : 'object';
  const types = parameterTypes(resource, model.resources);
  const ids = parentsOf(resource).map((name) => `readonly ${key(name)}: ${types.get(name) ?? 'string'}`);
  const naming = namingProperty(resource);
  const own = keyType(resource, naming);
  const found = `{ readonly ${key(naming)}: ${own}; readonly version?: number${ids.map((id) => `; ${id}`).join('')} }`;
  const get = model.operations.find(({ operationId }) => operationId === actions.get?.operationId);
  const offers = ({ in: place, name }: Parameter): boolean => place === 'query' && name === 'include';
  const included =
    resource.includes && get?.parameters.some(offers)
      ? `\n  readonly include: NonNullable<QueryOf<${quote(get.operationId)}>['include']>[number];`
      : '';
  return `Pick<Actions<{
  readonly resource: ${of(schemas.resource)};
  readonly page: ${page};
  readonly input: ${of(schemas.input)};
  readonly patch: ${of(schemas.patch)};
  readonly query: ${query};
  readonly parent: readonly [${ids.length > 0 ? `parent: { ${ids.join('; ')} }` : ''}];
  readonly target: ${ids.length > 0 ? found : `${own} | ${found}`};${included}
}>, ${offered.map((name) => `'${name}'`).join(' | ')}>`;
}

/** The parameters of a collection's path: properties of what is given to name what the collection belongs to. */
const parentsOf = ({ path }: ResourceDescriptor): readonly string[] => pathParameters(path);

function expressionOf(model: ContractModel, { resource, children }: ResourceTree): string {
  const below = children.map((child) => `${key(memberOf(child))}: ${expressionOf(model, child)}`).join(', ');
  if (!resource) return `{ ${below} }`;
  const own = `/* @__PURE__ */ resource(${literal(descriptorOf(model, resource))})`;
  return below === '' ? own : `/* @__PURE__ */ Object.assign(${own}, { ${below} })`;
}

function descriptorOf({ document, operations }: ContractModel, resource: ResourceDescriptor): object {
  const { path, idParameter, keyProperty, actions } = resource;
  const parents = parentsOf(resource);
  const operationOf = (action: Action) =>
    operations.find(({ operationId }) => operationId === actions[action]?.operationId);
  const styles = stylesOf(document, operationOf('list')?.parameters ?? []);
  const patch = operationOf('update');
  const patchTypes = Object.keys(patch?.body?.content ?? {});
  return {
    path,
    idParameter,
    ...(keyProperty !== undefined && { key: keyProperty }),
    ...(parents.length > 0 && { parents: Object.fromEntries(parents.map((name) => [name, name])) }),
    ...(Object.keys(styles).length > 0 && { styles }),
    ...(patch && !patchTypes.includes('application/merge-patch+json') && { patchType: patchTypes[0] }),
  };
}

/** Of header fields and cookies, those that are not written as `1,2` or `a,1`. */
function fieldStyles(parameters: readonly Parameter[]): { readonly fieldStyles?: object } {
  const styled = parameters.filter(({ in: place }) => place === 'header' || place === 'cookie');
  const styles = styled.flatMap(({ name, content, explode = false }): [string, object][] =>
    content || explode ? [[name, { style: content ? 'json' : 'form', explode }]] : [],
  );
  return styles.length > 0 ? { fieldStyles: Object.fromEntries(styles) } : {};
}

/** Of the query's parameters, those that are written in another way than the client's own (OpenAPI 3.1, 4.8.12.2). */
function stylesOf(document: OpenApiDocument, parameters: readonly Parameter[]): Readonly<Record<string, object>> {
  const styled = parameters.flatMap(
    ({ in: place, name, schema = true, content, style = 'form', explode = style === 'form' }) => {
      if (place !== 'query') return [];
      if (content) return [[name, { style: 'json', explode: false }] as const];
      const types = typesOfSchema(document, schema);
      const isOwn =
        (!types.has('array') || (style === 'form' && !explode)) && (!types.has('object') || style === 'deepObject');
      return isOwn ? [] : [[name, { style, explode }] as const];
    },
  );
  return Object.fromEntries(styled);
}

function operationText(document: OpenApiDocument, operation: OperationModel, name: string): string {
  const { operationId, method, path, node, parameters } = operation;
  const { summary, description, deprecated } = node as Operation & Readonly<Record<string, string | undefined>>;
  const words = [summary, description, deprecated && '@deprecated']
    .filter(Boolean)
    .map((text) => commentOf(String(text)));
  const descriptor = {
    method: method.toUpperCase(),
    path: templateOf(path, parameters),
    ...(parameters.some(isIdempotencyKey) && { keyed: true }),
    ...withStyles(stylesOf(document, parameters)),
    ...fieldStyles(parameters),
    ...bodiesOf(document, operation),
    ...answersOf(document, operation),
  };
  const type = `operations[${quote(operationId)}]`;
  const isOptional = !parameters.some(({ required }) => required) && node.requestBody === undefined;
  return `/** ${words.length > 0 ? words.join(' ') : commentOf(`${method.toUpperCase()} ${path}`)} */
export function ${name}(client: AnyClient, request: RequestOf<${type}>${isOptional ? ' = {}' : ''}, options?: CallOptions): ApiCall<Readable<AnswerOf<${type}>>> {
  return call(client, ${literal(descriptor)}, request as object, options) as ApiCall<Readable<AnswerOf<${type}>>>;
}
`;
}

/** The path with the operators of RFC 6570 that the client writes parameters by: `{;id*}` of style `matrix`, exploded. */
function templateOf(path: string, parameters: readonly Parameter[]): string {
  const operators: Readonly<Record<string, string>> = { label: '.', matrix: ';' };
  return parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((text, { name, style = 'simple', explode }) => {
      const operator = operators[style] ?? '';
      return text.replace(`{${name}}`, `{${operator}${name}${explode ? '*' : ''}}`);
    }, path);
}

const withStyles = (styles: Readonly<Record<string, object>>) => (Object.keys(styles).length > 0 ? { styles } : {});

const isIdempotencyKey = ({ in: place, name }: Parameter): boolean =>
  place === 'header' && name.toLowerCase() === 'idempotency-key';
