import type { Ajv, SchemaValidateFunction } from 'ajv';

/** Replaces the `uniqueItems` of Ajv, which compares each item with each other one: thousands would take seconds. */
export function withUniqueItems<A extends Ajv>(ajv: A): A {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: uniqueItems });
  return ajv;
}

const uniqueItems: SchemaValidateFunction = (mustBeUnique: boolean, items: readonly unknown[]) => {
  if (!mustBeUnique) return true;
  const seen = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const text = textOf(items[i]);
    const j = seen.get(text);
    if (j !== undefined) {
      uniqueItems.errors = [{ keyword: 'uniqueItems', params: { i, j } }];
      return false;
    }
    seen.set(text, i);
  }
  return true;
};

/** JSON that is equal for equal values, whatever the order of their members. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(members[name])}`).join()}}`;
}
