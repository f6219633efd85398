/** JSON Schemas of the hand-written service, by which Fastify validates and serializes. */

const sku = { type: 'string', pattern: '^[A-Z0-9]+(-[A-Z0-9]+)*$', minLength: 3, maxLength: 40 };
const status = { type: 'string', enum: ['DRAFT', 'ACTIVE', 'ARCHIVED'] };
const amount = { type: 'integer', minimum: 0 };
const currency = { type: 'string', pattern: '^[A-Z]{3}$' };

const millimetres = { type: 'integer', minimum: 1, maximum: 10_000 };
const delivery = {
  oneOf: [
    {
      type: 'object',
      required: ['kind', 'weightGrams'],
      additionalProperties: false,
      properties: {
        kind: { const: 'PHYSICAL' },
        weightGrams: { type: 'integer', minimum: 1, maximum: 100_000 },
        dimensions: {
          type: 'object',
          required: ['lengthMm', 'widthMm', 'heightMm'],
          additionalProperties: false,
          properties: { lengthMm: millimetres, widthMm: millimetres, heightMm: millimetres },
        },
      },
    },
    {
      type: 'object',
      required: ['kind', 'downloadUrl'],
      additionalProperties: false,
      properties: {
        kind: { const: 'DIGITAL' },
        downloadUrl: { type: 'string', format: 'uri', maxLength: 2048 },
        sizeBytes: { type: 'integer', minimum: 1, maximum: 1_000_000_000_000 },
      },
    },
  ],
};

const editable = {
  name: { type: 'string', minLength: 1, maxLength: 200 },
  description: { type: ['string', 'null'], maxLength: 5000 },
  price: { ...amount, maximum: 100_000_000 },
  currency,
  taxRate: { type: 'string', pattern: '^(0|1)(\\.\\d{1,4})?$' },
  stock: { ...amount, maximum: 1_000_000 },
  tags: {
    type: 'array',
    maxItems: 20,
    uniqueItems: true,
    items: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', minLength: 1, maxLength: 40 },
  },
  status,
  delivery,
  imageUrl: { type: ['string', 'null'], format: 'uri', maxLength: 2048 },
};

export const productInput = {
  type: 'object',
  required: ['sku', 'name', 'price', 'currency', 'delivery'],
  additionalProperties: false,
  properties: { sku, ...editable },
};

export const productPatch = { type: 'object', additionalProperties: false, properties: editable };

export const productParams = {
  type: 'object',
  required: ['productId'],
  properties: { productId: { type: 'string', format: 'uuid' } },
};

const SORTS = ['price', '-price', 'name', '-name', 'stock', '-stock', 'createdAt', '-createdAt'] as const;

export const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: { type: 'string', pattern: '^(DRAFT|ACTIVE|ARCHIVED)(,(DRAFT|ACTIVE|ARCHIVED))*$' },
    sku,
    currency,
    'name[contains]': { type: 'string', minLength: 1, maxLength: 100 },
    'price[gt]': amount,
    'price[gte]': amount,
    'price[lt]': amount,
    'price[lte]': amount,
    'stock[gt]': amount,
    'stock[gte]': amount,
    'stock[lt]': amount,
    'stock[lte]': amount,
    sort: { type: 'string', enum: SORTS },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    cursor: { type: 'string', minLength: 1, maxLength: 2048 },
  },
};

const text = { type: 'string' };

/** `delivery` is left open: a `oneOf` would make the serializer validate each value to choose a branch. */
export const product = {
  type: 'object',
  properties: {
    id: text,
    version: { type: 'integer' },
    createdAt: text,
    updatedAt: text,
    sku: text,
    name: text,
    description: { type: ['string', 'null'] },
    price: { type: 'integer' },
    currency: text,
    taxRate: text,
    stock: { type: 'integer' },
    tags: { type: 'array', items: text },
    status: text,
    delivery: {},
    imageUrl: { type: ['string', 'null'] },
    unitsSold: text,
  },
};

export const productPage = {
  type: 'object',
  properties: {
    data: { type: 'array', items: product },
    page: { type: 'object', properties: { nextCursor: { type: ['string', 'null'] } } },
  },
};
