import type { Draft, RestEdit } from './edits.ts';

const schema = (document: Draft, name: string) => document.components.schemas[name];
const parameter = (document: Draft, name: string) => document.components.parameters[name].schema;
const unavailable = (d: Draft) => d.paths['/orders'].get.responses;

/** What the server has always refused or sent, and the contract has not said. */
export const declaredEdits: readonly RestEdit[] = [
  [
    'how long an id is',
    (d) => {
      Object.assign(schema(d, 'Id'), { minLength: 36, maxLength: 36 });
    },
  ],
  [
    'what an id is made of',
    (d) => {
      schema(d, 'Id').pattern = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
    },
  ],
  [
    'what a time looks like',
    (d) => {
      Object.assign(schema(d, 'Timestamp'), { pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]', minLength: 20, maxLength: 30_000 });
    },
  ],
  [
    'what a date looks like',
    (d) => {
      schema(d, 'BirthDate').pattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
    },
  ],
  [
    'no U+0000 in texts',
    (d) => {
      schema(d, 'UserName').pattern = '^[^\\u0000]*$';
    },
  ],
  [
    'what a cursor is made of',
    (d) => {
      parameter(d, 'Cursor').pattern = '^[A-Za-z0-9_-]+$';
    },
  ],
  [
    'which entity tags there are',
    (d) => {
      parameter(d, 'IfMatch').pattern = '\\*|"|,';
    },
  ],
  [
    'that a key is visible ASCII',
    (d) => {
      parameter(d, 'IdempotencyKey').pattern = '^[\\x20-\\x7e]+$';
    },
  ],
  [
    'that a quantity is whole',
    (d) => {
      schema(d, 'Quantity').multipleOf = 1;
    },
  ],
  [
    'a long target, and large headers',
    (d) => {
      for (const status of [414, 431]) unavailable(d)[status] = { description: 'Too large.' };
    },
  ],
  [
    'when to come again',
    (d) => {
      const seconds = { description: 'Seconds.', schema: { type: 'integer', minimum: 0 } };
      for (const name of Object.keys(d.components.responses))
        d.components.responses[name].headers = {
          ...d.components.responses[name].headers,
          'Retry-After': seconds,
          RateLimit: { description: 'What is left.', schema: { type: 'string' } },
        };
    },
  ],
  [
    'a new error code, where it may be answered',
    (d) => {
      schema(d, 'ErrorCode').enum.push('SHOP_CLOSED');
      schema(d, 'ErrorCode')['x-error-codes'].SHOP_CLOSED = {
        status: 409,
        title: 'Shop closed',
        description: 'It opens at eight.',
        retryable: true,
      };
      d.paths['/orders'].post.responses['409']['x-error-codes'].push('SHOP_CLOSED');
    },
  ],
];

/** What is as near as can be, and refuses what was taken. */
export const tightenedEdits: readonly (readonly [...RestEdit, subject: string])[] = [
  [
    'ids in lower case',
    (d) => {
      schema(d, 'Id').pattern = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
    },
    'Id',
  ],
  [
    'times without fractions',
    (d) => {
      schema(d, 'Timestamp').maxLength = 25;
    },
    'Timestamp',
  ],
  [
    'names in one line',
    (d) => {
      schema(d, 'UserName').pattern = '^.*$';
    },
    'UserName',
  ],
  [
    'names in Latin',
    (d) => {
      schema(d, 'ProductName').pattern = '^[\\u0001-\\u024f]*$';
    },
    'ProductName',
  ],
  [
    'one entity tag',
    (d) => {
      parameter(d, 'IfMatch').pattern = '^"\\d+"$';
    },
    'If-Match',
  ],
  [
    'keys without quotes',
    (d) => {
      parameter(d, 'IdempotencyKey').pattern = '^[^"]+$';
    },
    'Idempotency-Key',
  ],
  [
    'short cursors',
    (d) => {
      parameter(d, 'Cursor').maxLength = 200;
    },
    'cursor',
  ],
  [
    'quantities by the dozen',
    (d) => {
      schema(d, 'Quantity').multipleOf = 12;
    },
    'Quantity',
  ],
];

const header = (path: string, method: string, status: number, name: string) => (d: Draft) => {
  delete d.paths[path][method].responses[status].headers[name];
};
const status = (path: string, method: string, code: number) => (d: Draft) => {
  delete d.paths[path][method].responses[code];
};

/** What the contract wrote and takes back. */
export const withdrawnEdits: readonly (readonly [...RestEdit, message: string])[] = [
  [
    'Location of a new product',
    header('/products', 'post', 201, 'Location'),
    'Header `Location` of response 201 of operation `createProduct` is no longer declared.',
  ],
  [
    'ETag of a product',
    header('/products/{productId}', 'get', 200, 'ETag'),
    'Header `ETag` of response 200 of operation `getProduct` is no longer declared.',
  ],
  [
    '304 of a product',
    status('/products/{productId}', 'get', 304),
    'Response 304 of operation `getProduct` is no longer declared.',
  ],
  [
    '412 of a change',
    status('/products/{productId}', 'patch', 412),
    'Response 412 of operation `updateProduct` is no longer declared.',
  ],
  [
    'ETag at all times',
    (d) => {
      d.components.headers.ETag.required = false;
    },
    'Header `ETag` may now be absent.',
  ],
];
