import type { Schema } from './document.ts';

export const isNullSchema = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && (schema as { readonly type?: unknown }).type === 'null';

/** The other branch of `oneOf: [X, {type: 'null'}]` or `anyOf`, in either order. */
export function nullUnion({ oneOf, anyOf }: Readonly<Record<string, unknown>>): Schema | undefined {
  const branches: unknown = oneOf ?? anyOf;
  if (!Array.isArray(branches) || branches.length !== 2) return undefined;
  const values: readonly Schema[] = branches.filter((branch) => !isNullSchema(branch));
  return values.length === 1 ? values[0] : undefined;
}
