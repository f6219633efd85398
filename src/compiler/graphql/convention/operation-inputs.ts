import type { GraphQLArgument, GraphQLObjectType } from 'graphql';
import type { OpenApiDocument, Parameter, Response, Schema } from '../../../descriptor/document.ts';
import type { ArgumentSource } from '../../../descriptor/graphql.ts';
import { parentOf } from '../../../descriptor/levels.ts';
import { inputName, isSuccess } from '../../../descriptor/operation-inputs.ts';
import { namingProperty, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { camelCase, lowerFirst } from '../../model/naming.ts';
import { anyJson, jsonContent } from '../../model/responses.ts';
import { acceptsNull, flatNamed, flatSchema } from '../../model/schemas.ts';

/** A node of the document, or one of its keys. */
export interface Origin {
  readonly node: object;
  readonly key?: string | undefined;
}

/** Something that a custom operation takes, with the name that its argument has by the conventions. */
export interface OperationInput {
  readonly argument: string;
  readonly source: Pick<ArgumentSource, 'in' | 'name'>;
  readonly schemas: readonly Schema[];
  readonly isRequired: boolean;
  /** `If-Match`, which is a version in GraphQL. */
  readonly isVersion?: boolean;
  readonly origin: Origin;
}

/** A field beside a custom operation. */
export interface OperationSite {
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
  readonly operation: OperationDraft;
  /** The type that has the field; undefined for a root type. */
  readonly parent: GraphQLObjectType | undefined;
  /** The arguments that the field has. */
  readonly args: readonly Pick<GraphQLArgument, 'name'>[];
}

/** Header fields that are arguments by the conventions, or sent with the request in either protocol. */
const KNOWN_HEADERS: Readonly<Record<string, string | undefined>> = { 'if-match': 'ifVersion' };

/**
 * What a custom operation takes by arguments: the path parameters that the parent of its field does not give, the query
 * parameters, and the body as `input`, or property by property where the field has it so.
 */
export function operationInputs(site: OperationSite): readonly OperationInput[] {
  const given = givenByParent(site);
  const parameters = site.operation.parameters.flatMap((parameter): OperationInput[] => {
    const { in: place, name, required } = parameter;
    if (place === 'path' && given.has(name)) return [];
    const argument = inputName(parameter) === undefined ? undefined : nameOf(site, parameter);
    if (argument === undefined) return [];
    const schema = parameter.schema ?? jsonContent(parameter)?.schema ?? true;
    const isRequired = required === true && !flatSchema(site.document, schema).nullable;
    const isVersion = place === 'header' && argument === 'ifVersion';
    const source = { in: place, name };
    return [{ argument, source, schemas: [schema], isRequired, isVersion, origin: { node: parameter } }];
  });
  return [...parameters, ...bodyInputs(site)];
}

/** The path parameters that the parent of a field gives, each with its property: the ids of its path, and properties of their names. */
export function givenByParent({ document, parent, resources, operation }: OperationSite): ReadonlyMap<string, string> {
  if (parent === undefined) return new Map();
  const resource = resources.find(({ name }) => name === parent.name);
  const properties = resource
    ? new Set(resource.properties.map(({ name }) => name))
    : flatNamed(document, parent.name).properties;
  const above = resource && parentOf(resources, resource);
  const propertyOf = (parameter: string): string | undefined => {
    if (parameter === resource?.idParameter) return namingProperty(resource);
    if (parameter === resource?.parent?.parameter && above && namingProperty(above) === 'id')
      return resource.parent.property;
    return properties.has(parameter) ? parameter : undefined;
  };
  return new Map(
    operation.parameters.flatMap(({ in: place, name }) => {
      const property = place === 'path' ? propertyOf(name) : undefined;
      return property === undefined ? [] : [[name, property] as const];
    }),
  );
}

/** The last path parameter may be `id`, as in the fields of actions. Cookies and header fields need no argument unless they are required. */
function nameOf(
  { operation: { parameters }, resources, args }: OperationSite,
  parameter: Parameter,
): string | undefined {
  const has = (name: string): boolean => args.some((one) => one.name === name);
  const own = /^[A-Za-z_]\w*$/.test(parameter.name) ? parameter.name : lowerFirst(camelCase(parameter.name));
  switch (parameter.in) {
    case 'query':
      return own;
    case 'path': {
      const isLast = parameters.findLast((one) => one.in === 'path') === parameter;
      const isId = isLast && resources.some(({ idParameter }) => idParameter === parameter.name);
      return isLast && !has(own) && (has('id') || isId) ? 'id' : own;
    }
    case 'header':
    case 'cookie': {
      const name = (parameter.in === 'header' && KNOWN_HEADERS[parameter.name.toLowerCase()]) || own;
      return has(name) || parameter.required ? name : undefined;
    }
  }
}

function bodyInputs({ document, operation, args }: OperationSite): readonly OperationInput[] {
  const body = operation.body;
  const schema = anyJson(document, body)?.schema;
  if (!body || schema === undefined) return [];
  const flat = flatSchema(document, schema);
  const isRequired = body.required === true;
  const isSpread = !args.some(({ name }) => name === 'input') && args.some(({ name }) => flat.properties.has(name));
  if (!isSpread)
    return [{ argument: 'input', source: { in: 'body' }, schemas: [schema], isRequired, origin: { node: body } }];
  return [...flat.properties.values()].map(({ name, holder, schemas }) => ({
    argument: name,
    source: { in: 'body', name },
    schemas,
    isRequired: isRequired && flat.required.has(name) && !acceptsNull(document, schemas),
    origin: { node: holder, key: name },
  }));
}

/** What a custom operation answers if it succeeds. */
export interface OperationAnswer {
  /** Of JSON, or `text`; undefined if it has no content. */
  readonly schema: Schema | 'text' | undefined;
  /** Whether a success may come without content, beside others. */
  readonly mayLack: boolean;
  /** Whether its successes have different schemas, for which no field has a type. */
  readonly isMixed: boolean;
}

export function operationAnswer(
  document: OpenApiDocument,
  { responses }: Pick<OperationDraft, 'responses'>,
): OperationAnswer {
  const statuses = [...responses.keys()];
  const found = [...responses].flatMap(([status, one]) =>
    isSuccess(status, statuses) ? [answerOf(document, one)] : [],
  );
  const schemas = found.filter((one) => one !== undefined);
  return {
    schema: schemas[0],
    mayLack: schemas.length > 0 && schemas.length < found.length,
    isMixed: new Set(schemas.map((schema) => JSON.stringify(schema))).size > 1,
  };
}

function answerOf(document: OpenApiDocument, response: Response): Schema | 'text' | undefined {
  const schema = anyJson(document, response)?.schema;
  return schema ?? (Object.keys(response.content ?? {}).length > 0 ? 'text' : undefined);
}
