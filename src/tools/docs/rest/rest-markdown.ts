import type { ContractModel, OperationModel } from '../../../compiler/model/model.ts';
import type { Operation, Parameter, Schema } from '../../../descriptor/document.ts';
import { code, inline, plain, table } from '../layout/markdown.ts';
import type { Additions } from './reference-document.ts';

type Words = Operation & { readonly summary?: string; readonly description?: string };

/** A part of the reference: an operation, or what is around them. */
export interface RestPart {
  readonly operation?: OperationModel;
  readonly text: string;
}

/** The reference as Markdown: what programs read, and what stands on the page until the console has started. */
export function restParts(model: ContractModel, additions: Additions): readonly RestPart[] {
  const { operations } = model;
  const groups = Map.groupBy(operations, ({ node }) => tagOf(node));
  const introduction = `# REST

Every operation, at ${code(additions.base)}. The [schemas](openapi.json) are in the OpenAPI document.
`;
  return [
    { text: introduction },
    ...[...groups].flatMap(([tag, own]): RestPart[] => [
      ...(tag === '' ? [] : [{ text: `## ${plain(tag)}\n` }]),
      ...own.map((operation) => ({ operation, text: operationText(operation, additions) })),
    ]),
  ];
}

/** The first tag of an operation; empty: it has none. */
export const tagOf = (operation: Operation): string =>
  String((operation['tags'] as readonly unknown[] | undefined)?.[0] ?? '');

function operationText(model: OperationModel, { samples, linksOf }: Additions): string {
  const { operationId, method, path } = model;
  const operation = model.node as Words;
  const parameters = model.parameters.map((parameter) => [
    code(parameter.name),
    parameter.in,
    parameterType(parameter) + (parameter.required ? ', required' : ''),
    inline(String((parameter as { readonly description?: string }).description ?? '')),
  ]);
  const bodies = Object.entries(model.body?.content ?? {}).map(
    ([type, { schema }]) => `${code(type)}: ${typeOf(schema)}`,
  );
  const [sample] = samples.get(operationId) ?? [];
  return `### ${plain(operation.summary ?? operationId)}

${code(`${method.toUpperCase()} ${path}`)}, ${code(operationId)}. ${(operation.description ?? '').trim()}

${linksOf(operationId)}

${parameters.length > 0 ? `${table(['Parameter', 'In', 'Type', 'Meaning'], parameters)}\n\n` : ''}${bodies.length > 0 ? `Body: ${bodies.join(' or ')}.\n\n` : ''}${table(['Status', 'Meaning', 'Errors'], answers(model))}

${sample ? `\`\`\`sh\n${sample.source}\n\`\`\`\n` : ''}`;
}

const answers = ({ responses }: OperationModel): string[][] =>
  [...responses].map(([status, { description = '', 'x-error-codes': codes = [] }]) => {
    return [status, inline(description), codes.map((one) => `[\`${one}\`](../errors/${one}.html)`).join(', ')];
  });

/** What a parameter takes: a value, or one that is written as JSON. */
function parameterType({ schema, content }: Parameter): string {
  const media = Object.values(content ?? {})[0];
  return media ? `${typeOf(media.schema)} as JSON` : typeOf(schema);
}

/** A schema in a few words, as Markdown. */
function typeOf(schema: Schema | undefined): string {
  if (typeof schema !== 'object') return 'any';
  const {
    $ref,
    type,
    format,
    items,
    enum: values,
  } = schema as {
    readonly $ref?: string;
    readonly type?: string | readonly string[];
    readonly format?: string;
    readonly items?: Schema;
    readonly enum?: readonly unknown[];
  };
  if ($ref) return code($ref.slice($ref.lastIndexOf('/') + 1));
  if (values) return values.map((value) => code(String(value))).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return [type ?? 'object', format && `(${format})`].flat().filter(Boolean).join(' ');
}
