import type { GraphQLType } from 'graphql';
import { kindOf } from '../../../descriptor/content.ts';
import type { OpenApiDocument, Parameter, Schema } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { camelCase, lowerFirst, pathSegments, upperFirst } from '../../model/naming.ts';
import { anyJson } from '../../model/responses.ts';
import { acceptsNull, flatSchema } from '../../model/schemas.ts';
import { fieldName, freeName, typeName } from '../names/graphql-name.ts';
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

/** The field of a custom operation, or why it cannot have one. `isTaken`: whether another field of the root type has a name. */
export function deriveCustom(
  side: Contract,
  types: TypeDeriver,
  operation: OperationDraft,
  isTaken: (root: 'query' | 'mutation', name: string) => boolean = () => false,
): CustomField | string {
  const { operationId, method, node } = operation;
  const gap = gapOf(side, operation);
  if (gap !== undefined) return gap;
  const resource = resourceOf(side, operation);
  const above = resourceAbove(side.resources, operation.path);
  types.home = above && homeOf(above);
  const isQuery = method === 'get';
  const root = isQuery ? 'query' : 'mutation';
  const field = freeName(fieldName(lowerFirst(camelCase(operationId))), (one) => !resource && isTaken(root, one));
  const owner = typeName(upperFirst(field));
  const args = operationArguments(side, { operation, parent: undefined, args: [] }, (schemas, name) =>
    types.typeOf(schemas, 'input', { owner, member: name === 'input' ? '' : name }),
  );
  const name = resource ? camelCase(pathSegments(operation.path).at(-1)!) : field;
  const member: Member = {
    name,
    description: descriptionOf(node),
    args: resource
      ? []
      : args.map((one) =>
          one.given === undefined ? one : { ...one, value: printValue(one.given, types.isEnum(one.type ?? '')) },
        ),
    type: answerType(side, operation, isQuery && !resource, (schemas) =>
      types.typeOf(schemas, 'output', { owner, member: 'result' }),
    ),
    directives: [`@operation(id: ${JSON.stringify(operationId)})`, ...directivesOf(side, operation)],
  };
  return { type: resource ? { resource } : { root }, member, home: types.home };
}

/** What GraphQL cannot carry. */
function gapOf(contract: Inputs, operation: OperationDraft): string | undefined {
  const because = whyNoField(contract, operation);
  return because === undefined
    ? undefined
    : `\`${operation.operationId}\`: ${because} Declare it on the operation: \`x-parity: { graphql: absent, because: … }\`.`;
}

/** The methods that read or change something: GraphQL has fields for these alone. */
const FIELD_METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

type Inputs = Pick<Contract, 'document' | 'resources'>;

/** Why an operation cannot be a field, as a sentence: GraphQL has JSON, and texts as its strings. */
export function whyNoField({ document, resources }: Inputs, operation: OperationDraft): string | undefined {
  const { body, method } = operation;
  if (!FIELD_METHODS.has(method)) return `GraphQL has no counterpart of ${method.toUpperCase()}.`;
  if (body !== undefined && !anyJson(document, body)) return 'It accepts no JSON.';
  const answer = operationAnswer(document, operation);
  if (answer.isMixed) return 'It succeeds with different schemas.';
  if (answer.schema === 'text' && !answersText(document, operation)) return 'It answers neither JSON nor text.';
  const inputs = operationInputs({ document, resources, operation, parent: undefined, args: [] });
  const names = new Set(inputs.map(({ argument }) => argument));
  return names.size < inputs.length ? 'It has two inputs of one name.' : undefined;
}

const answersText = (document: OpenApiDocument, { responses }: OperationDraft): boolean =>
  [...responses].some(
    ([status, { content = {} }]) =>
      /^2/.test(status) && Object.entries(content).some(([type, media]) => kindOf(document, type, media) === 'text'),
  );

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
  if (schema !== 'text' && acceptsNull(document, [schema])) return type;
  const mayBeMissing = isOfQuery && operation.parameters.some((one) => one.in === 'path');
  const isNullable = actual ? !String(actual).endsWith('!') : schema !== 'text';
  return mayBeMissing && isNullable ? type : `${type}!`;
}
