import type { Parameter } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { camelCase, lowerFirst, pathSegments, upperFirst } from '../../model/naming.ts';
import { jsonContent } from '../../model/responses.ts';
import { flatSchema } from '../../model/schemas.ts';
import type { Contract } from './contract-side.ts';
import { type Member, printValue } from './definition.ts';
import { directivesOf } from './fields.ts';
import { answerSchema, operationInputs } from './operation-inputs.ts';
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

/** The field of a custom operation, or why it cannot have one. */
export function deriveCustom(side: Contract, types: TypeDeriver, operation: OperationDraft): CustomField | string {
  const { operationId, method, node } = operation;
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
    directives: [`@operation(id: ${JSON.stringify(operationId)})`, ...directivesOf(side, operation)],
  };
  return { type: resource ? { resource } : { root: isQuery ? 'query' : 'mutation' }, member, home: types.home };
}

/** What GraphQL cannot carry. */
function gapOf({ operationId, body }: OperationDraft): string | undefined {
  if (!body || jsonContent(body)) return undefined;
  return `\`${operationId}\` takes no JSON; declare it on the operation: \`x-parity: { graphql: absent, because: … }\`.`;
}

/** `GET /books/{bookId}/rating` without parameters of its own is the field `Book.rating`. */
function resourceOf({ resources }: Contract, operation: OperationDraft): ResourceDescriptor | undefined {
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

function argumentsOf(contract: Contract, types: TypeDeriver, operation: OperationDraft): readonly Member[] {
  const { document, resources } = contract;
  const owner = upperFirst(camelCase(operation.operationId));
  const taken = operationInputs({ document, resources, operation, parent: undefined, args: [] });
  return taken.flatMap((input): readonly Member[] => {
    if (input.kind === 'parameter') return [argumentOf(contract, types, owner, input.argument, input.parameter)];
    if (input.kind === 'property') return [];
    const type = types.typeOf([input.schema], 'input', owner);
    return [{ name: 'input', type: `${type}${input.body.required === true ? '!' : ''}` }];
  });
}

function argumentOf(
  { document }: Contract,
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
function resultOf(side: Contract, types: TypeDeriver, operation: OperationDraft, mayBeMissing: boolean): string {
  const schema = answerSchema(operation);
  if (schema === undefined) return 'Boolean!';
  if (schema === 'text') return 'String!';
  const type = types.typeOf([schema], 'output', `${upperFirst(camelCase(operation.operationId))}Result`);
  return mayBeMissing || flatSchema(side.document, schema).nullable ? type : `${type}!`;
}
