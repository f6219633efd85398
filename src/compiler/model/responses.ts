import { contentOf, isJson, kindOf } from '../../descriptor/content.ts';
import { defaultOf } from '../../descriptor/default-of.ts';
import type { MediaType, OpenApiDocument, Parameter, RequestBody, Response } from '../../descriptor/document.ts';
import { BODY_INPUT, inputName, isSuccess } from '../../descriptor/operation-inputs.ts';
import type { CodeDescriptor, OperationDescriptor } from '../../descriptor/rest.ts';
import { flatSchema } from './schemas.ts';

const JSON_TYPE = 'application/json';

/** The responses of a document that have names. */
export const namedResponses = ({ components }: OpenApiDocument): Readonly<Record<string, Response>> =>
  components?.responses ?? {};

/** The `application/json` Media Type Object of a body, whatever its parameters such as `charset`. */
export function jsonContent(body: { readonly content?: Readonly<Record<string, MediaType>> } | undefined) {
  const entry = Object.entries(body?.content ?? {}).find(([type]) => type.split(';')[0]?.trim() === JSON_TYPE);
  return entry?.[1];
}

/** The JSON of a body of a custom operation, of whatever type. */
export const anyJson = (
  document: OpenApiDocument,
  { content }: Pick<Response, 'content'> = {},
): MediaType | undefined => Object.entries(contentOf(document, content)).find(([type]) => isJson(type))?.[1];

/** What a custom operation takes and answers, in the names of the document. */
interface Taken {
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: ReadonlyMap<string, Response>;
}

/**
 * The part of `handlers` that answers a custom operation. Only HTTP has bodies that are neither JSON, a form nor text, answers in
 * several media types, redirects, and names that mean two inputs.
 */
export function codeOf(document: OpenApiDocument, { parameters, body, responses }: Taken): CodeDescriptor['in'] {
  const names = parameters.flatMap((parameter) => inputName(parameter) ?? []);
  const taken = typesOf(document, body ? [body] : [], (kind, type) => kind === 'form' || isPlain(kind, type));
  if (taken.size > 0) names.push(BODY_INPUT);
  const statuses = [...responses.keys()];
  const successes = [...responses].flatMap(([status, one]) => (isSuccess(status, statuses) ? [one] : []));
  const answered = typesOf(document, successes, (kind, type) => kind === 'text' || isPlain(kind, type));
  const isHttp =
    new Set(names).size < names.length ||
    statuses.some((status) => /^3(?!04)/.test(status)) ||
    [taken, answered].some((types) => types.size > 1 || types.has(undefined));
  return isHttp ? 'routes' : 'operations';
}

type Kind = ReturnType<typeof kindOf>;

const isPlain = (kind: Kind, type: string): boolean => kind === 'json' || (kind === 'text' && /^text\//i.test(type));

/** The media types of bodies; undefined for those that only HTTP has. */
function typesOf(
  document: OpenApiDocument,
  bodies: readonly Pick<Response, 'content'>[],
  isServed: (kind: Kind, type: string) => boolean,
): ReadonlySet<string | undefined> {
  const media = bodies.flatMap(({ content }) => Object.entries(contentOf(document, content)));
  return new Set(
    media.map(([type, declared]) =>
      !type.includes('*') && isServed(kindOf(document, type, declared), type) ? type : undefined,
    ),
  );
}

/** The properties of an operation's body that code always gets, because they have a default. */
export function filledProperties(document: OpenApiDocument, { requestBody }: OperationDescriptor): readonly string[] {
  const [media] = Object.values(requestBody?.content ?? {});
  if (media?.schema === undefined) return [];
  const { properties, required } = flatSchema(document, media.schema);
  return [...properties.values()].flatMap(({ name, schemas }) =>
    !required.has(name) && schemas.some((one) => defaultOf(document, one) !== undefined) ? [name] : [],
  );
}
