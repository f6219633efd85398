import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { INT64_PATTERN, TEXT_PATTERN } from '../../../descriptor/implied-patterns.ts';
import { schemaNameOf } from '../../json-schema/references.ts';
import { schemasBelow } from '../../json-schema/schemas-of.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { namedSchemas } from '../../model/schemas.ts';

type Node = Record<string, unknown>;

/** What says more of a text, or that the value is not a text. */
const SAID = ['pattern', 'enum', 'const', 'format', 'contentEncoding', 'contentMediaType', '$ref'];

/** A completed document, and its operations. */
export interface Completed {
  readonly document: OpenApiDocument;
  readonly operations: readonly OperationDraft[];
}

/**
 * Adds, in place, the patterns of what the server refuses in texts of requests: those of 64-bit integers, and for other texts
 * that they hold no U+0000.
 */
export function addImpliedPatterns({ document, operations }: Completed): void {
  for (const node of sentSchemas(document, operations)) {
    if (![node['type']].flat().includes('string')) continue;
    if (!SAID.some((keyword) => keyword in node)) node['pattern'] = TEXT_PATTERN;
    else if (node['format'] === 'int64' && !('pattern' in node)) node['pattern'] = INT64_PATTERN;
  }
}

/** The schema objects that values of requests are held to. Header fields cannot hold U+0000. */
export function sentSchemas(document: OpenApiDocument, operations: readonly OperationDraft[]): ReadonlySet<Node> {
  const schemas = namedSchemas(document);
  const found = new Set<Node>();
  const visit = (schema: Schema | undefined): void => {
    for (const node of schemasBelow(schema) as readonly Node[]) {
      if (found.has(node)) continue;
      found.add(node);
      const name = schemaNameOf(node);
      if (name !== undefined) visit(schemas[name]);
    }
  };
  for (const { parameters, body } of operations) {
    for (const { in: place, schema } of parameters) if (place !== 'header') visit(schema);
    for (const [type, { schema }] of Object.entries(body?.content ?? {})) if (/\bjson\b/i.test(type)) visit(schema);
  }
  return found;
}
