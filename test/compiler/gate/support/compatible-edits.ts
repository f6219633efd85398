import {
  addArgument,
  addField,
  addInput,
  addTypes,
  argument,
  type Draft,
  enumValues,
  field,
  limit,
  ofType,
  type RestEdit,
  type SdlEdit,
  withDirectives,
} from './edits.ts';

const schema = (document: Draft, name: string) => document.components.schemas[name];
const LOCALE = { name: 'locale', in: 'query', description: 'Language.', schema: { type: 'string', maxLength: 5 } };

export const compatibleRestEdits: readonly RestEdit[] = [
  ['nothing', () => undefined],
  [
    'another description',
    (d) => {
      d.info.description = 'Anew.';
    },
  ],
  [
    'another summary',
    (d) => {
      d.paths['/products'].get.summary = 'Products';
    },
  ],
  [
    'an example',
    (d) => {
      schema(d, 'ProductName').examples = ['Red mug'];
    },
  ],
  [
    'another version',
    (d) => {
      d.info.version = '1.1.0';
    },
  ],
  [
    'a deprecation',
    (d) => {
      d.paths['/products/{productId}'].put.deprecated = true;
      d.paths['/products/{productId}'].put['x-sunset'] = '2030-01-01';
    },
  ],
  [
    'an id that callers may send',
    (d) => {
      schema(d, 'ProductInput').properties.id = { type: 'string', format: 'uuid' };
    },
  ],
  [
    'a property that may be absent',
    (d) => {
      for (const name of ['User', 'UserInput', 'UserPatch'])
        schema(d, name).properties.nickname = {
          type: 'string',
          minLength: 1,
          maxLength: 50,
          description: 'What friends say.',
        };
    },
  ],
  [
    'a property that is answered only',
    (d) => {
      schema(d, 'RatingSummary').properties.median = {
        type: 'integer',
        minimum: 1,
        maximum: 5,
        description: 'The middle.',
      };
    },
  ],
  [
    'an operation',
    (d) => {
      d.paths['/products/{productId}/stock-forecast'] = {
        get: {
          operationId: 'getStockForecast',
          tags: ['Products'],
          summary: 'Forecast',
          description: 'When it sells out.',
          security: [],
          parameters: [{ $ref: '#/components/parameters/ProductId' }],
          responses: {
            200: {
              description: 'It.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Stock' } } },
            },
          },
        },
      };
    },
  ],
  [
    'a parameter that may be absent',
    (d) => {
      d.paths['/products/{productId}/rating-summary'].get.parameters = [LOCALE];
    },
  ],
  [
    'a move of orders',
    (d) => {
      schema(d, 'OrderStatus')['x-transitions'].SHIPPED.push('CANCELLED');
    },
  ],
  [
    'e-mail addresses may repeat',
    (d) => {
      delete schema(d, 'User').properties.email['x-unique'];
    },
  ],
  [
    'an SKU may change',
    (d) => {
      delete schema(d, 'Product').properties.sku['x-immutable'];
    },
  ],
  [
    'orders may be read by all',
    (d) => {
      schema(d, 'Order')['x-owner'].reads = 'anyone';
    },
  ],
  [
    'another error',
    (d) => {
      schema(d, 'ErrorCode')['x-error-codes'].OUT_OF_STOCK.description = 'Sold out.';
    },
  ],
  [
    'another order of products',
    (d) => {
      const { parameters } = d.paths['/products'].get;
      parameters.find((one: Draft) => one.name === 'sort').schema.items.enum.push('status', '-status');
    },
  ],
  [
    'a tag',
    (d) => {
      d.tags.push({ name: 'Forecasts', description: 'What is to come.' });
    },
  ],
];

export const compatibleSdlEdits: readonly SdlEdit[] = [
  ['nothing', (document) => document],
  ['a field', addField('Product', 'nickname: String')],
  ['a query', addField('Query', 'bestseller: Product')],
  ['a type', addTypes('type Forecast { soldOut: DateTime }')],
  ['an argument that may be absent', addArgument('Query.product', 'locale: String')],
  ['a property that may be absent', addInput('UserInput', 'nickname: String')],
  ['an order of products', enumValues('ProductSort', (values) => [...values, 'STATUS_ASC'])],
  ['an argument that need not be given', argument('Mutation.deleteUser', 'id', ofType('ID'))],
  ['a body that is always there', field('Review.body', ofType('String!'))],
  ['more depth', limit('depth', 12)],
  [
    'another way in',
    field(
      'Query.orders',
      withDirectives('@auth(scopes: ["orders:read"])', '@auth(scopes: ["orders:admin"])', '@auth(scopes: ["audit"])'),
    ),
  ],
  ['a user without a token', field('Query.user', withDirectives())],
  ['a field that is old', field('Product.tags', withDirectives('@deprecated(reason: "Use `labels`.")'))],
];
