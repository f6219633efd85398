import { publishedDocument } from '../../../compiler/emit/index.ts';
import { resolveReference } from '../../../compiler/json-schema/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
} from '../../../descriptor/document.ts';
import type { ErrorCatalogue, ErrorDescriptor } from '../../../descriptor/error.ts';
import { isLarge } from '../layout/large.ts';

/** What the reference shows beside what the contract says. */
export interface Additions {
  /** The base URL of the API. */
  readonly base: string;
  /** Where the console sends requests: the same, or its path at the host of the page. */
  readonly server: string;
  /** What an operation answers with a code. */
  readonly problemOf: (operationId: string, error: ErrorDescriptor) => object;
  /** The page of an operation, seen from the console. */
  readonly pageOf: (operationId: string) => string;
}

/** The document as the reference renders it: with samples, examples of errors, and links. */
export function referenceDocument(
  { document: whole, operations, errors }: ContractModel,
  additions: Additions,
): OpenApiDocument {
  const document = publishedDocument(whole);
  const paths: Record<string, PathItem> = { ...document.paths };
  // Of many operations, the pages alone have examples of errors: all are loaded at once here.
  const shown = isLarge({ operations }) ? {} : errors;
  for (const { operationId, method, path } of operations) {
    const operation = paths[path]?.[method];
    if (!operation) continue;
    paths[path] = { ...paths[path], [method]: described(document, shown, { ...operation, operationId }, additions) };
  }
  return { ...document, servers: [{ url: additions.server }], paths };
}

function described(
  document: OpenApiDocument,
  errors: ErrorCatalogue,
  operation: Operation,
  { problemOf, pageOf }: Additions,
): Operation {
  const { operationId, description = '', responses } = operation as Operation & { readonly description?: string };
  const entries = Object.entries(responses).map(([status, given]) => {
    const response = resolveReference<Response>(document, given as Response)!;
    const codes = (response['x-error-codes'] ?? []).filter((code) => errors[code]);
    return [
      status,
      codes.length === 0 ? given : withExamples(response, codes, (code) => problemOf(operationId, errors[code]!)),
    ];
  });
  const { parameters = [] } = operation;
  return {
    ...operation,
    ...(parameters.length > 0 && { parameters: parameters.map((one) => withoutExample(document, one)) }),
    description: `${description.trim()}\n\n[All about it](${pageOf(operationId)}).`,
    responses: Object.fromEntries(entries) as Operation['responses'],
  };
}

/** The console sends whatever has an example: of what need not be sent, the example is in the words instead. */
function withoutExample(document: OpenApiDocument, given: Parameter | Reference): Parameter {
  const parameter = resolveReference<Parameter>(document, given as Parameter)! as Parameter & Documented;
  if (parameter.required) return parameter;
  const { example, examples, ...rest } = parameter;
  const schema = resolveReference<Documented>(document, rest.schema as Documented) ?? {};
  const { example: one, examples: some, ...plain } = schema;
  const shown = example ?? one ?? (Array.isArray(some) ? some[0] : undefined);
  const words = shown === undefined || typeof shown === 'object' ? '' : ` For example \`${String(shown)}\`.`;
  return { ...rest, schema: plain, description: `${(rest.description ?? '').trim()}${words}` } as Parameter;
}

interface Documented {
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: unknown;
}

/** A response that shows what it carries for each of its codes. */
function withExamples(response: Response, codes: readonly string[], problemOf: (code: string) => object): Response {
  const examples = Object.fromEntries(codes.map((code) => [code, { summary: code, value: problemOf(code) }]));
  const content = Object.entries(response.content ?? {}).map(([type, media]) => [type, { ...media, examples }]);
  return { ...response, content: Object.fromEntries(content) };
}
