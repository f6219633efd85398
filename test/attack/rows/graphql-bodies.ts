import type { Attack } from '../support/attack.ts';
import { type Flood, flood } from '../support/flood.ts';
import { JSON_FORMS, type JsonForm, unknownKeys } from '../support/json-forms.ts';
import { type RequestParts, request } from '../support/requests.ts';
import { outcomeOf } from '../support/tally.ts';

export const REQUESTS = 300;
/** The most values of variables that are executed, and a little more for the object that holds them. */
export const MOST_VALUES = 4_090;
const MIB = 2 ** 20;
const SOON_ADMITTED = 256 * 2 ** 10;

export const QUERY = 'query ($f: ProductFilter) { products(filter: $f) { nodes { id } } }';

/** A request whose filter is that JSON. */
export const filtered = (filter: string): string => `{"query":${JSON.stringify(QUERY)},"variables":{"f":${filter}}}`;

const many = (value: string): string => Array.from({ length: MOST_VALUES }, () => value).join();
const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Variables within their limits of values and characters that are wrong in as many ways as possible. */
export const WRONG_FILTERS: Readonly<Record<string, string>> = {
  '4,090 unknown fields': `{${unknownKeys(MOST_VALUES)}}`,
  '4,090 wrong values in an array': `{"status":[${many('123456')}]}`,
  '60 wrong texts of 1,000 characters': `{"status":[${Array.from({ length: 60 }, () => `"${'x'.repeat(1_000)}"`).join()}]}`,
  '90 wrong objects, 40 levels deep': `{"status":[${Array.from({ length: 90 }, () => deep(40)).join()}]}`,
  '4,090 numbers for texts': `{"currency":[${many('1.5e300')}]}`,
};

const LONG_REVIEWS = 'product(id: "00000001-0000-7000-8000-000000000005") { reviews(first: 100) { nodes';

/** A text of each of 100 reviews under so many names. */
export const underNames = (names: number): string =>
  JSON.stringify({
    query: `{ ${LONG_REVIEWS} { ${Array.from({ length: names }, (_, i) => `a${i}: body`).join(' ')} } } } }`,
  });

/** Each fault that is found in it is looked for line by line. */
export const LINE_FEEDS: string = JSON.stringify({
  query: `${'\n'.repeat(15_000)}{ ${Array.from({ length: 120 }, (_, i) => `a${i}`).join(' ')} }`,
});

const posted = (body: string, more: RequestParts = {}): Buffer => request('POST', '/graphql', { body, ...more });

function attack(row: string, variant: string, message: Buffer, how: Flood): Attack {
  return {
    row,
    variant,
    contract: 'storefront',
    databases: ['SQLite'],
    run: async (target) =>
      outcomeOf(
        await flood(
          target,
          Array.from({ length: REQUESTS }, () => message),
          how,
        ),
      ),
  };
}

const WRONG = 'a. 300 × 31 KiB to /graphql';
const LARGE = 'c. 300 large bodies to /graphql';
const HEADS = 'a. 300 × 15 KiB of header fields';
const OVER_MANY: Flood = { connections: REQUESTS };

const fields = (name: string, item: string): Readonly<Record<string, string>> => ({
  [name]: Array.from({ length: Math.floor(15_000 / (item.length + 2)) }, () => item).join(', '),
});
const manyFields = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, '12345678']));
const READ = '/v1/products/00000001-0000-7000-8000-000000000001';

export const wrongVariables: readonly Attack[] = [
  ...Object.entries(WRONG_FILTERS).map(([variant, filter]) =>
    attack(WRONG, variant, posted(filtered(filter)), OVER_MANY),
  ),
  attack(
    WRONG,
    'unknown fields, pipelined on three connections',
    posted(filtered(WRONG_FILTERS['4,090 unknown fields']!)),
    {
      connections: 3,
      pipelined: 100,
    },
  ),
  attack(
    WRONG,
    'faults in the document',
    posted(JSON.stringify({ query: `{ products(filter: { ${'a:1 '.repeat(240)}}) { nodes { ${'b '.repeat(80)}} } }` })),
    OVER_MANY,
  ),
  attack(WRONG, 'faults below 15,000 line feeds', posted(LINE_FEEDS), OVER_MANY),
  attack(WRONG, 'one text under 15 names', posted(underNames(15)), OVER_MANY),
];

export const largeHeads: readonly Attack[] = [
  attack(
    HEADS,
    'Accept',
    request('GET', READ, { fields: { Accept: `${fields('Accept', 'a/b;q=0.1')['Accept']}, */*` } }),
    OVER_MANY,
  ),
  attack(HEADS, 'If-None-Match', request('GET', READ, { fields: fields('If-None-Match', '"1000"') }), OVER_MANY),
  attack(HEADS, 'Cookie', request('GET', READ, { fields: fields('Cookie', 'a=b') }), OVER_MANY),
  attack(HEADS, '900 fields', request('GET', READ, { fields: manyFields }), OVER_MANY),
  attack(HEADS, '900 fields, pipelined', request('GET', READ, { fields: manyFields }), {
    connections: 3,
    pipelined: 100,
  }),
];

const large = (form: JsonForm, bytes: number): Attack =>
  attack(LARGE, `${form}, ${Math.round(bytes / 1024)} KiB`, posted(filtered(JSON_FORMS[form](bytes - 200))), OVER_MANY);

export const largeBodies: readonly Attack[] = [
  large('small objects', MIB),
  large('unknown keys', MIB),
  large('nested arrays', MIB),
  large('numbers', MIB),
  large('escaped text', MIB),
  large('one deep array', MIB),
  large('small objects', SOON_ADMITTED),
  large('unknown keys', SOON_ADMITTED),
  large('one text', SOON_ADMITTED),
  attack(
    LARGE,
    'small objects, 256 KiB, pipelined',
    posted(filtered(JSON_FORMS['small objects'](SOON_ADMITTED - 200))),
    { connections: 3, pipelined: 100 },
  ),
];
