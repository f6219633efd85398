import type { Ajv, SchemaValidateFunction } from 'ajv';

/** Replaces the `uniqueItems` of Ajv, which compares each item with each other one: thousands would take seconds. */
export function withUniqueItems<A extends Ajv>(ajv: A): A {
  const keyword = 'uniqueItems';
  ajv.removeKeyword(keyword).addKeyword({ keyword, type: 'array', schemaType: 'boolean', validate: uniqueItems });
  return ajv;
}

const uniqueItems: SchemaValidateFunction = (mustBeUnique: boolean, items: readonly unknown[]) => {
  if (!mustBeUnique || items.length < 2 || areDifferent(items)) return true;
  const seen = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    // A text is not that of another value, whatever follows the quote.
    const text = typeof item === 'string' ? `"${item}` : textOf(item);
    const j = seen.get(text);
    if (j === undefined) seen.set(text, i);
    else uniqueItems.errors = [{ keyword: 'uniqueItems', params: { i, j } }];
    if (j !== undefined) return false;
  }
  return true;
};

/** Whether the items are different ones, without an array or an object among them. */
const areDifferent = (items: readonly unknown[]): boolean =>
  items.every((item) => typeof item !== 'object' || item === null) && new Set(items).size === items.length;

/** JSON that is equal for equal values, whatever the order of their members. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.sort().join()}}`;
}
