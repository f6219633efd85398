import type { OpenAPI3 } from 'openapi-typescript';
import { HTTP_METHODS, type OpenApiDocument } from '../../descriptor/document.ts';
import { KEEP_NOTHING, kept } from '../../descriptor/keep.ts';
import { HEADER } from './print.ts';
import { sealedDocument } from './sealed-document.ts';
import { typeContents } from './type-contents.ts';
import { typedSchemas } from './typed-schemas.ts';

/** `types/openapi.ts`: a document's schemas and operations as TypeScript (openapi-typescript). Throws `TypesFault`. */
export async function openapiTypes(document: OpenApiDocument, keep = KEEP_NOTHING): Promise<string> {
  const sealed = sealedDocument(document);
  typedSchemas(sealed, sealed.components?.schemas ?? {});
  typeContents(sealed);
  const aliases = aliasOperations(sealed);
  let types = await kept(keep, 'types', [JSON.stringify(sealed)], async () => {
    const { typesOf } = await import('./types-of.ts');
    return withPercent(await typesOf(withoutPercent(sealed) as unknown as OpenAPI3, keep));
  });
  for (const [alias, operationId] of aliases)
    types = types.replaceAll(JSON.stringify(alias), JSON.stringify(operationId));
  return `${HEADER}\n${types.replace(WITH_REQUIRED, WITH_REQUIRED_OR_NULL).replace(VIEWS, () => VIEWS_OF_ALL)}`;
}

/** openapi-typescript's own does not take a schema that may be null: none of its keys is known. */
const WITH_REQUIRED = /^type WithRequired<T, K extends keyof T> = T & \{\s*\[P in K\]-\?: T\[P\];?\s*\};$/m;
const WITH_REQUIRED_OR_NULL = `type WithRequired<T, K extends PropertyKey> = T extends null | undefined ? T : T & {
    [P in K & keyof T]-?: T[P];
};`;

/**
 * openapi-typescript's own would take the members of bytes apart, join those of tuples, and lose properties whose value is always
 * null.
 */
const VIEWS = /^export type Readable<T> = [\s\S]*?(?=^export (?:interface|type) paths\b)/m;
const VIEWS_OF_ALL = `type $Is<T, Mark> = [NonNullable<T>] extends [never] ? false : NonNullable<T> extends Mark ? true : false;
type $None<K extends PropertyKey> = [K] extends [never] ? unknown : { [P in K]?: never };
export type Readable<T> = T extends Blob ? T : T extends $Write<any> ? never : T extends $Read<infer U> ? Readable<U> : T extends (infer E)[] ? '0' extends keyof T ? {
    [K in keyof T]: Readable<T[K]>;
} : Readable<E>[] : T extends object ? {
    [K in keyof T as $Is<T[K], $Write<any>> extends true ? never : K]: Readable<T[K]>;
} : T;
export type Writable<T> = T extends Blob ? T : T extends $Read<any> ? never : T extends $Write<infer U> ? Writable<U> : T extends (infer E)[] ? '0' extends keyof T ? {
    [K in keyof T]: Writable<T[K]>;
} : Writable<E>[] : T extends object ? {
    [K in keyof T as $Is<T[K], $Read<any>> extends true ? never : K]: Writable<T[K]>;
} & $None<keyof {
    [K in keyof T as $Is<T[K], $Read<any>> extends true ? K : never]: T[K];
}> : T;
`;

/** openapi-typescript takes `%` in a name for an escape, which it may not be: another sign stands for it meanwhile. */
const withoutPercent = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document).replaceAll(/("\$ref":"[^"]*")|%/g, (_, reference) => reference ?? STAND_IN));

const withPercent = (text: string): string => text.replaceAll(/\ue025|\\uE025/g, '%');

const STAND_IN = '\ue025';

/** openapi-typescript turns the `#` of an operationId into `/`, which another one may have: it gets others meanwhile. */
function aliasOperations(document: OpenApiDocument): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const item of Object.values(document.paths ?? {}))
    for (const method of HTTP_METHODS) {
      const operation = item[method] as { operationId?: string } | undefined;
      if (!operation?.operationId?.includes('#')) continue;
      const alias = `an operation, the ${aliases.size + 1}.`;
      aliases.set(alias, operation.operationId);
      operation.operationId = alias;
    }
  return aliases;
}
