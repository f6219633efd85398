type Json = Readonly<Record<string, unknown>>;

/** What an Operation Object is written from; what is undefined is left out. */
export interface OperationParts {
  readonly operationId: string;
  readonly tags?: unknown;
  readonly summary?: string;
  readonly description?: string | undefined;
  /** Security Requirement Objects; undefined for those of the document. */
  readonly security?: unknown;
  readonly deprecated?: boolean | undefined;
  readonly 'x-through'?: unknown;
  readonly 'x-totals'?: string;
  readonly 'x-batch'?: string;
  readonly parameters?: readonly unknown[];
  readonly body?:
    | { readonly schema: Json; readonly isRequired?: boolean; readonly types?: readonly string[] | undefined }
    | undefined;
  readonly answer: { readonly status: number; readonly description: string; readonly schema?: Json | undefined };
}

/** An Operation Object in its short form: what the conventions imply is completed. */
export function operationObject({ body, answer, ...members }: OperationParts): Json {
  const { status, description, schema } = answer;
  const { deprecated, parameters = [] } = members;
  const all = {
    ...members,
    deprecated: deprecated || undefined,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && { required: body.isRequired ?? true, content: contentOf(body.schema, body.types) },
    responses: { [status]: { description, ...(schema && { content: contentOf(schema) }) } },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const JSON_TYPE = 'application/json';

const contentOf = (schema: Json, types: readonly string[] = [JSON_TYPE]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema }]));
