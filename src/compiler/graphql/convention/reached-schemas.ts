import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { isReference, nodeAt, schemaNameOf } from '../../json-schema/references.ts';
import type { ContractSide } from './contract-side.ts';

type Operations = Pick<ContractSide, 'document' | 'operations'>;

/** The names of the schemas that callers send values of. */
export const sentSchemas = ({ document, operations }: Operations): ReadonlySet<string> =>
  schemasBelow(
    document,
    operations.map(({ node }) => node.requestBody),
  );

/** The names of the schemas that operations answer values of. */
export const answeredSchemas = ({ document, operations }: Operations): ReadonlySet<string> =>
  schemasBelow(
    document,
    operations.flatMap(({ responses }) => [...responses].flatMap(([status, one]) => (/^2/.test(status) ? one : []))),
  );

/** The names of the schemas that nodes refer to, at any depth. */
function schemasBelow(document: OpenApiDocument, nodes: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isReference(value)) {
      const name = schemaNameOf(value);
      if (name !== undefined && names.has(name)) return;
      if (name !== undefined) names.add(name);
      visit(nodeAt(document, value.$ref));
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const node of nodes) visit(node);
  return names;
}
