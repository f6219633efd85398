import { _, type Ajv, type CodeKeywordDefinition } from 'ajv';

/** Replaces the `uniqueItems` of Ajv, which compares each item with each other one: thousands would take seconds. */
export function withUniqueItems<A extends Ajv>(ajv: A): A {
  ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS);
  return ajv;
}

const UNIQUE_ITEMS: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  code(cxt) {
    if (cxt.schema !== true) return;
    const find = cxt.gen.scopeValue('func', { ref: findRepeated, code: _`findRepeated` });
    const repeated = cxt.gen.const('repeated', _`${find}(${cxt.data})`);
    cxt.setParams({ repeated });
    cxt.fail(_`${repeated} !== undefined`);
  },
  error: { message: 'must NOT have duplicate items', params: ({ params }) => _`${params['repeated']}` },
};

/** The places of an item and of the first one that is equal to it. */
export function findRepeated(items: readonly unknown[]): { readonly i: number; readonly j: number } | undefined {
  if (items.length < 2 || areDifferent(items)) return undefined;
  const seen = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    // A text is not that of another value, whatever follows the quote.
    const text = typeof item === 'string' ? `"${item}` : textOf(item);
    const j = seen.get(text);
    if (j !== undefined) return { i, j };
    seen.set(text, i);
  }
  return undefined;
}

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
