import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { isImpliedPattern } from '../../../descriptor/implied-patterns.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { operationsOf } from '../../../descriptor/resource.ts';
import type { OperationDescriptor } from '../../../descriptor/rest.ts';
import type { OldVersion } from '../../../descriptor/version.ts';
import { INT32_BOUNDS, SAFE_BOUNDS } from '../../json-schema/integer-bounds.ts';
import { namesReached } from '../../json-schema/names-reached.ts';
import { resolveReference } from '../../json-schema/references.ts';
import { schemasBelow } from '../../json-schema/schemas-of.ts';
import type { ContractModel } from '../model.ts';
import { INCLUDE_PARAMETER } from '../resources/list-parameters.ts';
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
    isChanged(name, old.document, present, sent.has(name)),
  );
  const common = before.filter(({ operationId }) => now.has(operationId));
  const including = present.resources.filter(({ includes }) => includes !== undefined).flatMap(operationsOf);
  const includes = new Set(including.map(({ operationId }) => operationId));
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
        const then = queryOf(old.document, operation);
        const own = queryOf(present.document, other);
        if (includes.has(operation.operationId) && !then.has(INCLUDE_PARAMETER)) own.delete(INCLUDE_PARAMETER);
        return !isDeepStrictEqual(then, own);
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
function isChanged(name: string, old: OpenApiDocument, present: ContractModel, isSent: boolean): boolean {
  const before = schemaNamed(old, name);
  const [then, now] = [before, withoutIncludes(name, before, present)].map((schema) =>
    shapeOf(isSent ? schema : withoutDefaults(schema)),
  );
  return !isDeepStrictEqual(then, now);
}

/** The present schema without what only requests of the present version can include. */
function withoutIncludes(
  name: string,
  before: Schema | undefined,
  { document, resources }: ContractModel,
): Schema | undefined {
  const schema = schemaNamed(document, name);
  const { includes } = resources.find((resource) => resource.name === name) ?? {};
  if (!includes) return schema;
  const { properties, ...others } = Object(schema) as { readonly properties?: object };
  const known = Object(Object(before).properties) as object;
  const left = Object.entries(properties ?? {}).filter(([own]) => !(own in includes) || own in known);
  return { ...others, properties: Object.fromEntries(left) };
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

function queryOf(document: OpenApiDocument, operation: OperationDescriptor): Map<string, unknown> {
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
