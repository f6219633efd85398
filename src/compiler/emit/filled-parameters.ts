import type { OpenApiDocument, Parameter, PathItem, Schema } from '../../descriptor/document.ts';
import { resolveReference } from '../json-schema/references.ts';
import type { ContractModel } from '../model/model.ts';

/**
 * The document as handlers of custom operations see requests: a parameter with a default is always there. The same object when
 * no custom operation has one. Actions of resources are also called over GraphQL, where an absent argument stays absent.
 */
export function withFilledParameters({ document, operations }: ContractModel): OpenApiDocument {
  const custom = operations.filter((operation) => operation.default === undefined);
  const changed = new Map<string, PathItem>();
  for (const { path, method, item, node, parameters } of custom) {
    if (!parameters.some((parameter) => isFilled(document, parameter))) continue;
    const filled = parameters.map((parameter) =>
      isFilled(document, parameter) ? { ...parameter, required: true } : parameter,
    );
    changed.set(path, { ...(changed.get(path) ?? item), [method]: { ...node, parameters: filled } });
  }
  return changed.size === 0 ? document : { ...document, paths: { ...document.paths, ...Object.fromEntries(changed) } };
}

function isFilled(document: OpenApiDocument, { required, schema, content }: Parameter): boolean {
  const own = schema ?? Object.values(content ?? {})[0]?.schema;
  return required !== true && (hasDefault(own) || hasDefault(targetOf(document, own)));
}

const targetOf = (document: OpenApiDocument, schema: Schema | undefined): Schema | undefined =>
  typeof schema === 'object' ? resolveReference<Exclude<Schema, boolean>>(document, schema) : undefined;

const hasDefault = (schema: Schema | undefined): boolean => typeof schema === 'object' && 'default' in schema;
