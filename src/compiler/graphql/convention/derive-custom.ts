import type { Parameter, Schema } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { camelCase, lowerFirst, pathSegments, upperFirst } from '../../model/naming.ts';
import { jsonContent } from '../../model/responses.ts';
import { flatSchema } from '../../model/schemas.ts';
import type { ContractSide } from './contract-side.ts';
import { type Member, printValue } from './definition.ts';
import { authDirectives } from './directives.ts';
import { homeOf, resourceAbove } from './resource-home.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { descriptionOf } from './words.ts';

/** A custom operation as a field: of a root type, or of the resource below whose path it stands. */
export interface CustomField {
  readonly type: { readonly root: 'query' | 'mutation' } | { readonly resource: ResourceDescriptor };
  readonly member: Member;
  /** Where it belongs: with the resource below whose path the operation stands. */
  readonly home: string | undefined;
}

/** The field of a custom operation, or why there is none. */
export function deriveCustom(side: ContractSide, types: TypeDeriver, operation: OperationDraft): CustomField | string {
  const { operationId, method, node, access } = operation;
  const gap = gapOf(operation);
  if (gap !== undefined) return gap;
  const resource = resourceOf(side, operation);
  const above = resourceAbove(side.resources, operation.path);
  types.home = above && homeOf(above);
  const isQuery = method === 'get';
  const mayBeMissing = isQuery && !resource && operation.parameters.some((one) => one.in === 'path');
  const args = argumentsOf(side, types, operation);
  const name = resource ? camelCase(pathSegments(operation.path).at(-1)!) : lowerFirst(camelCase(operationId));
  const member: Member = {
    name,
    description: descriptionOf(node),
    args: resource ? [] : args,
    type: resultOf(side, types, operation, mayBeMissing),
    directives: [
      `@operation(id: ${JSON.stringify(operationId)})`,
      ...(node.deprecated === true ? ['@deprecated'] : []),
      ...authDirectives(side.document, access),
    ],
  };
  return { type: resource ? { resource } : { root: isQuery ? 'query' : 'mutation' }, member, home: types.home };
}

/** What GraphQL cannot carry. */
function gapOf({ operationId, body }: OperationDraft): string | undefined {
  if (!body || jsonContent(body)) return undefined;
  return `\`${operationId}\` takes no JSON; declare it on the operation: \`x-parity: { graphql: absent, because: … }\`.`;
}

function successOf({ node }: OperationDraft): number | undefined {
  const status = Object.keys(node.responses ?? {}).find((code) => /^2\d\d$/.test(code));
  return status === undefined ? undefined : Number(status);
}

/** `GET /books/{bookId}/rating` without parameters of its own is the field `Book.rating`. */
function resourceOf({ resources }: ContractSide, operation: OperationDraft): ResourceDescriptor | undefined {
  const { method, path, parameters, node } = operation;
  if (method !== 'get' || node.requestBody || parameters.some((one) => one.in === 'query')) return undefined;
  const segment = pathSegments(path).at(-1);
  return resources.find(
    (resource) =>
      path === `${resource.path}/{${resource.idParameter}}/${segment}` &&
      resource.actions.get !== undefined &&
      !resource.properties.some(({ name }) => name === camelCase(segment ?? '')),
  );
}

function argumentsOf(side: ContractSide, types: TypeDeriver, operation: OperationDraft): readonly Member[] {
  const parameters = operation.parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const request = operation.body;
  const body = jsonContent(request)?.schema as Schema | undefined;
  const owner = upperFirst(camelCase(operation.operationId));
  const own = parameters.map((parameter) =>
    argumentOf(side, types, owner, argumentName(side, operation, parameter), parameter),
  );
  if (body === undefined) return own;
  return [
    ...own,
    { name: 'input', type: `${types.typeOf([body], 'input', owner)}${request?.required === true ? '!' : ''}` },
  ];
}

/** The last path parameter is `id` where it is that of a resource, as in the fields of actions. */
function argumentName({ resources }: ContractSide, { parameters }: OperationDraft, parameter: Parameter): string {
  const isLast = parameters.findLast((one) => one.in === 'path') === parameter;
  if (isLast && resources.some(({ idParameter }) => idParameter === parameter.name)) return 'id';
  return /^[A-Za-z_]\w*$/.test(parameter.name) ? parameter.name : lowerFirst(camelCase(parameter.name));
}

function argumentOf(
  { document }: ContractSide,
  types: TypeDeriver,
  owner: string,
  name: string,
  parameter: Parameter,
): Member {
  const schema = parameter.schema ?? jsonContent(parameter)?.schema ?? true;
  const flat = flatSchema(document, schema);
  const type = types.typeOf([schema], 'input', owner + upperFirst(name));
  const given = flat.keywords.get('default');
  const isEnum = types.definitions.some((one) => one.kind === 'enum' && one.name === type.replace(/[[\]!]/g, ''));
  return {
    name,
    description: descriptionOf(parameter),
    type: `${type}${parameter.required === true && !flat.nullable ? '!' : ''}`,
    value: given && printValue(given.value, isEnum),
  };
}

/** What cannot be null over REST is not null, but a root field that takes ids may be, as `book(id:)` is. */
function resultOf(side: ContractSide, types: TypeDeriver, operation: OperationDraft, mayBeMissing: boolean): string {
  const status = successOf(operation);
  const response = status === undefined ? undefined : operation.responses.get(String(status));
  const schema = jsonContent(response)?.schema as Schema | undefined;
  if (schema === undefined) return Object.keys(response?.content ?? {}).length > 0 ? 'String!' : 'Boolean!';
  const type = types.typeOf([schema], 'output', `${upperFirst(camelCase(operation.operationId))}Result`);
  return mayBeMissing || flatSchema(side.document, schema).nullable ? type : `${type}!`;
}
