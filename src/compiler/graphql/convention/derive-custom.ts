import type { GraphQLType } from 'graphql';
import type { Parameter, Schema } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { camelCase, lowerFirst, pathSegments, upperFirst } from '../../model/naming.ts';
import { anyJson } from '../../model/responses.ts';
import { flatSchema } from '../../model/schemas.ts';
import { type Contract, homeOf, resourceAbove } from './contract-side.ts';
import { type Member, printValue } from './definition.ts';
import { directivesOf } from './fields.ts';
import { type OperationSite, operationAnswer, operationInputs } from './operation-inputs.ts';
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
  const gap = gapOf(side, operation);
  if (gap !== undefined) return gap;
  const resource = resourceOf(side, operation);
  const above = resourceAbove(side.resources, operation.path);
  types.home = above && homeOf(above);
  const isQuery = method === 'get';
  const owner = upperFirst(camelCase(operationId));
  const args = operationArguments(side, { operation, parent: undefined, args: [] }, (schemas, name) =>
    types.typeOf(schemas, 'input', name === 'input' ? owner : owner + upperFirst(name)),
  );
  const name = resource ? camelCase(pathSegments(operation.path).at(-1)!) : lowerFirst(camelCase(operationId));
  const member: Member = {
    name,
    description: descriptionOf(node),
    args: resource
      ? []
      : args.map((one) =>
          one.given === undefined ? one : { ...one, value: printValue(one.given, types.isEnum(one.type ?? '')) },
        ),
    type: answerType(side, operation, isQuery && !resource, (schemas) =>
      types.typeOf(schemas, 'output', `${owner}Result`),
    ),
    directives: [`@operation(id: ${JSON.stringify(operationId)})`, ...directivesOf(side, operation)],
  };
  return { type: resource ? { resource } : { root: isQuery ? 'query' : 'mutation' }, member, home: types.home };
}

/** What GraphQL cannot carry. */
function gapOf({ document, resources }: Contract, operation: OperationDraft): string | undefined {
  const { operationId, body } = operation;
  const inputs = operationInputs({ document, resources, operation, parent: undefined, args: [] });
  const gaps = [
    body !== undefined && !anyJson(document, body) && 'takes no JSON',
    operationAnswer(document, operation).isMixed && 'succeeds with different schemas',
    new Set(inputs.map(({ argument }) => argument)).size < inputs.length && 'has two inputs of one name',
  ];
  const what = gaps.find((gap) => gap !== false);
  if (what === undefined) return undefined;
  return `\`${operationId}\` ${what}; declare it on the operation: \`x-parity: { graphql: absent, because: … }\`.`;
}

/** `GET /books/{bookId}/rating` without parameters of its own is the field `Book.rating`. */
function resourceOf({ resources }: Contract, operation: OperationDraft): ResourceDescriptor | undefined {
  const { method, path, parameters, node } = operation;
  if (method !== 'get' || node.requestBody || parameters.some(isArgument)) return undefined;
  const segment = pathSegments(path).at(-1);
  return resources.find(
    (resource) =>
      path === `${resource.path}/{${resource.idParameter}}/${segment}` &&
      resource.actions.get !== undefined &&
      !resource.properties.some(({ name }) => name === camelCase(segment ?? '')),
  );
}

/** Whether a parameter needs an argument on any type. */
const isArgument = ({ in: place, required }: Parameter): boolean =>
  place === 'query' || (place !== 'path' && required === true);

/** The arguments of a field beside an operation, by what the field has of them. `typeOf`: of the values of one. */
export function operationArguments(
  { document, resources }: Contract,
  site: Pick<OperationSite, 'operation' | 'parent' | 'args'>,
  typeOf: (schemas: readonly Schema[], argument: string) => string,
): readonly Member[] {
  return operationInputs({ document, resources, ...site }).map(
    ({ argument, source, schemas, isRequired, isVersion, origin }) => ({
      name: argument,
      description: descriptionOf(source.in === 'body' ? undefined : origin.node),
      type: `${isVersion ? 'Int' : typeOf(schemas, argument)}${isRequired ? '!' : ''}`,
      given: source.name === undefined ? undefined : flatSchema(document, ...schemas).keywords.get('default')?.value,
      schemas,
      origin,
    }),
  );
}

/**
 * The type of a field beside an operation. What cannot be null over REST is not null, but a root field that takes ids may be,
 * as `book(id:)` is: null stands beside the error `NOT_FOUND`. `actual`: the type that the field has.
 */
export function answerType(
  { document }: Contract,
  operation: OperationDraft,
  isOfQuery: boolean,
  typeOf: (schemas: readonly Schema[]) => string,
  actual?: GraphQLType,
): string {
  const { schema, mayLack } = operationAnswer(document, operation);
  if (schema === undefined) return 'Boolean!';
  const type = schema === 'text' ? 'String' : typeOf([schema]);
  if (mayLack) return type;
  if (schema !== 'text' && flatSchema(document, schema).nullable) return type;
  const mayBeMissing = isOfQuery && operation.parameters.some((one) => one.in === 'path');
  const isNullable = actual ? !String(actual).endsWith('!') : schema !== 'text';
  return mayBeMissing && isNullable ? type : `${type}!`;
}
