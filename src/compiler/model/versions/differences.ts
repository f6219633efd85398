import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { isImpliedPattern } from '../../../descriptor/implied-patterns.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { OperationDescriptor } from '../../../descriptor/rest.ts';
import type { OldVersion } from '../../../descriptor/version.ts';
import { INT32_BOUNDS, SAFE_BOUNDS } from '../../json-schema/integer-bounds.ts';
import { namesReached } from '../../json-schema/names-reached.ts';
import { resolveReference } from '../../json-schema/references.ts';
import { schemasBelow } from '../../json-schema/schemas-of.ts';
import type { ContractModel } from '../model.ts';
import { namedSchemas, schemaNamed } from '../schemas.ts';

/** What a step between two versions must translate. */
export interface Differences {
  /** Changed schemas, and whether they occur in requests (`up`) and responses (`down`). */
  readonly schemas: readonly { readonly schema: string; readonly up: boolean; readonly down: boolean }[];
  /** Operations whose query parameters have changed. */
  readonly queries: readonly string[];
  /** Operations that no longer exist under their operationId. */
  readonly removed: readonly string[];
  /**
   * The codes that a caller of the old version may meet and that it does not have, and those that it has. A code of
   * operations that only the present version has never reaches such a caller.
   */
  readonly errors: { readonly codes: readonly string[]; readonly known: readonly string[] };
}

export function differencesOf(old: OldVersion, present: ContractModel): Differences {
  const before = old.rest.operations;
  const now = new Map(present.rest.operations.map((operation) => [operation.operationId, operation]));
  const sent = namesReached(
    old.document,
    before.map(({ requestBody }) => requestBody),
  );
  const answered = namesReached(
    old.document,
    before.map(({ responses }) => responses),
  );
  const changed = Object.keys(namedSchemas(old.document)).filter((name) =>
    isChanged(name, old.document, present.document, sent.has(name)),
  );
  const common = before.filter(({ operationId }) => now.has(operationId));
  const removed = before.filter(({ operationId }) => !now.has(operationId)).map(({ operationId }) => operationId);
  const met = codesMet(present, new Set(common.map(({ operationId }) => operationId)), removed.length > 0);
  return {
    schemas: changed
      .filter((name) => !isOfErrors(name))
      .map((schema) => ({ schema, up: sent.has(schema), down: answered.has(schema) }))
      .filter(({ up, down }) => up || down),
    queries: common
      .filter((operation) => {
        const other = lookUp(now, operation.operationId);
        return !isDeepStrictEqual(queryOf(old.document, operation), queryOf(present.document, other));
      })
      .map(({ operationId }) => operationId),
    removed,
    errors: {
      codes: Object.keys(present.errors).filter((code) => met.has(code) && !Object.hasOwn(old.errors, code)),
      known: Object.keys(old.errors),
    },
  };
}

/** What the operations of the old version may answer now; what is left of one that is gone, any operation may answer. */
function codesMet({ operations }: ContractModel, common: ReadonlySet<string>, isAnyMet: boolean): ReadonlySet<string> {
  const reachable = operations.filter(({ operationId }) => isAnyMet || common.has(operationId));
  return new Set(reachable.flatMap(({ errorCodes }) => errorCodes));
}

/** Errors are translated by their codes instead. */
const isOfErrors = (name: string): boolean => /^(?:Server)?(?:Problem|ErrorCode)$/.test(name);

/** In an answer, a default means nothing. */
function isChanged(name: string, old: OpenApiDocument, present: OpenApiDocument, isSent: boolean): boolean {
  const [before, now] = [old, present].map((document) => {
    const schema = schemaNamed(document, name);
    return shapeOf(isSent ? schema : withoutDefaults(schema));
  });
  return !isDeepStrictEqual(before, now);
}

function withoutDefaults(schema: Schema | undefined): Schema | undefined {
  const copy = structuredClone(schema);
  for (const node of schemasBelow(copy) as readonly Record<string, unknown>[]) delete node['default'];
  return copy;
}

/** The schema without what does not affect values: descriptions, examples and extensions. */
function shapeOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shapeOf);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).filter(
    ([name, value]) =>
      !(typeof value === 'string' && name === 'description') &&
      !(name === 'pattern' && isImpliedPattern(node)) &&
      !/^(?:examples?|x-.+|title)$/.test(name),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, shapeOf(value)]));
}

function queryOf(document: OpenApiDocument, operation: OperationDescriptor): unknown {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  return new Map(parameters.map((parameter) => [parameter.name, shapeOf(inlined(document, parameter.schema))]));
}

/** Bounds that completion gives to filters, today but perhaps not then: no query is another one for them. */
const IMPLIED_BOUNDS: ReadonlySet<unknown> = new Set([INT32_BOUNDS, SAFE_BOUNDS].flatMap(Object.values));

const inlined = (document: OpenApiDocument, schema: Schema): unknown =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (/^(?:min|max)imum$/.test(key) && IMPLIED_BOUNDS.has(value)) return undefined;
    const reference = (value as { readonly $ref?: string } | null)?.$ref;
    return reference === undefined ? value : resolveReference(document, { $ref: reference });
  });
