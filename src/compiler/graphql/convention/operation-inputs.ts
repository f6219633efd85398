import type { GraphQLArgument } from 'graphql';
import type { OpenApiDocument, Parameter, Schema } from '../../../descriptor/document.ts';
import type { ArgumentSource } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { camelCase, lowerFirst } from '../../model/naming.ts';
import { jsonContent } from '../../model/responses.ts';
import { flatSchema } from '../../model/schemas.ts';
import { ancestorParameters } from './names.ts';

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
  readonly parent: string | undefined;
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
  const given = givenBy(site);
  const parameters = site.operation.parameters.flatMap((parameter): OperationInput[] => {
    const { in: place, name, required } = parameter;
    if (place === 'path' && (given === 'all' || given.has(name))) return [];
    const argument = nameOf(site, parameter);
    if (argument === undefined || place === 'cookie') return [];
    const schema = parameter.schema ?? jsonContent(parameter)?.schema ?? true;
    const isRequired = required === true && !flatSchema(site.document, schema).nullable;
    const isVersion = place === 'header' && argument === 'ifVersion';
    const source = { in: place, name };
    return [{ argument, source, schemas: [schema], isRequired, isVersion, origin: { node: parameter } }];
  });
  return [...parameters, ...bodyInputs(site)];
}

/** The path parameters that the parent of a field has; all of them where the parent is not a resource. */
function givenBy({ parent, resources }: OperationSite): ReadonlySet<string> | 'all' {
  if (parent === undefined) return new Set();
  const resource = resources.find(({ name }) => name === parent);
  return resource ? new Set([...ancestorParameters(resource), resource.idParameter]) : 'all';
}

/** The last path parameter may be `id`, as in the fields of actions. Cookies and other header fields do not become arguments. */
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
    case 'header': {
      const name = KNOWN_HEADERS[parameter.name.toLowerCase()] ?? own;
      return has(name) ? name : undefined;
    }
    case 'cookie':
      return undefined;
  }
}

function bodyInputs({ document, operation, args }: OperationSite): readonly OperationInput[] {
  const body = operation.body;
  const schema = jsonContent(body)?.schema;
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
    isRequired: isRequired && flat.required.has(name) && !flatSchema(document, ...schemas).nullable,
    origin: { node: holder, key: name },
  }));
}

/** The schema of the successful answer; undefined when it has no content. `text` for content that is not JSON. */
export function answerSchema(operation: OperationDraft): Schema | 'text' | undefined {
  const responses = [...operation.responses].flatMap(([status, one]) => (/^2\d\d$/.test(status) ? [one] : []));
  const schema = responses.map((response) => jsonContent(response)?.schema).find((one) => one !== undefined);
  if (schema !== undefined) return schema;
  return responses.some((response) => Object.keys(response.content ?? {}).length > 0) ? 'text' : undefined;
}
