import {
  addArgument,
  addInput,
  argument,
  type Draft,
  enumValues,
  field,
  gone,
  limit,
  ofType,
  type RestEdit,
  type SdlEdit,
  type,
  withDefault,
  withDirectives,
} from './edits.ts';

const schema = (document: Draft, name: string) => document.components.schemas[name];
const operation = (document: Draft, path: string, method: string) => document.paths[path][method];
const without = (values: readonly string[], value: string) => values.filter((one) => one !== value);
const named = (parameters: Draft, name: string) => parameters.find((one: Draft) => one.name === name);

const set =
  (name: string, key: string, value: unknown) =>
  (document: Draft): void => {
    schema(document, name)[key] = value;
  };
const inProperty =
  (name: string, property: string, edit: (node: Draft) => void) =>
  (document: Draft): void =>
    edit(schema(document, name).properties[property]);

function stays(document: Draft, name: string, property: string): void {
  schema(document, name).properties[property]['x-immutable'] = true;
  delete schema(document, `${name}Patch`).properties[property];
}

const OPERATIONS = [
  ['/users', 'get'],
  ['/users', 'post'],
  ['/users/{userId}', 'delete'],
  ['/products', 'post'],
  ['/products/{productId}', 'put'],
  ['/products/{productId}', 'patch'],
  ['/products/{productId}', 'delete'],
  ['/products/{productId}/rating-summary', 'get'],
  ['/products/{productId}/reviews', 'post'],
  ['/orders', 'get'],
  ['/orders/{orderId}/items/{itemId}', 'delete'],
] as const;

export const breakingRestEdits: readonly RestEdit[] = [
  ...OPERATIONS.map(
    ([path, method]): RestEdit => [
      `${method} ${path} is gone`,
      (document) => {
        delete document.paths[path][method];
        if (Object.keys(document.paths[path]).length === 0) delete document.paths[path];
      },
    ],
  ),
  [
    'an id that callers must send',
    (d) => {
      schema(d, 'ProductInput').properties.id = { type: 'string', format: 'uuid' };
      schema(d, 'ProductInput').required.push('id');
    },
  ],
  [
    'the items of orders are gone',
    (d) => {
      for (const end of ['', '/{itemId}']) delete d.paths[`/orders/{orderId}/items${end}`];
    },
  ],
  ...(['/products', '/orders', '/users/{userId}'] as const).map(
    (path): RestEdit => [
      `another operationId of ${path}`,
      (document) => {
        operation(document, path, 'get').operationId += 'Anew';
      },
    ],
  ),
  ...(
    [
      ['Product', 'imageUrl'],
      ['Order', 'note'],
      ['User', 'birthDate'],
      ['RatingSummary', 'distribution'],
      ['Dimensions', 'heightMm'],
    ] as const
  ).map(
    ([name, property]): RestEdit => [
      `${name}.${property} is gone`,
      (document) => {
        for (const each of [name, `${name}Input`, `${name}Patch`]) {
          const found = schema(document, each);
          if (!found?.properties[property]) continue;
          delete found.properties[property];
          if (found.required) found.required = without(found.required, property);
        }
      },
    ],
  ),
  ...(['name', 'price', 'tags'] as const).map(
    (property): RestEdit => [
      `Product.${property} may be absent`,
      (document) => {
        schema(document, 'Product').required = without(schema(document, 'Product').required, property);
      },
    ],
  ),
  [
    'a title may be null',
    (d) => {
      schema(d, 'Review').properties.title = { type: ['string', 'null'], minLength: 1, maxLength: 120 };
    },
  ],
  [
    'totals refuse to read as many rows',
    (d) => {
      operation(d, '/orders/totals', 'get')['x-totals'].maxRows = 1000;
    },
  ],
  [
    'a note is a number',
    (d) => {
      d.components.schemas.OrderNote = { type: ['integer', 'null'], minimum: 0, maximum: 9, description: 'A note.' };
    },
  ],
  ['a rating is a fraction', set('Rating', 'type', 'number')],
  [
    'a status is gone',
    (d) => {
      const s = schema(d, 'ProductStatus');
      s.enum = without(s.enum, 'ARCHIVED');
      for (const from of Object.keys(s['x-transitions']))
        s['x-transitions'][from] = without(s['x-transitions'][from], 'ARCHIVED');
      delete s['x-transitions'].ARCHIVED;
    },
  ],
  [
    'a status is new',
    (d) => {
      schema(d, 'OrderStatus').enum.push('RETURNED');
      schema(d, 'OrderStatus')['x-transitions'].DELIVERED = ['RETURNED'];
    },
  ],
  ...(
    [
      ['ProductInput', 'description'],
      ['UserInput', 'birthDate'],
      ['ReviewInput', 'body'],
      ['OrderInput', 'note'],
    ] as const
  ).map(
    ([name, property]): RestEdit => [
      `${name}.${property} is required`,
      (document) => {
        schema(document, name).required = [...(schema(document, name).required ?? []), property];
      },
    ],
  ),
  ...(['Product', 'User', 'Review', 'OrderItem'] as const).map(
    (name): RestEdit => [
      `a new property that ${name}Input requires`,
      (document) => {
        for (const each of [name, `${name}Input`]) {
          schema(document, each).properties.grade = {
            type: 'integer',
            minimum: 1,
            maximum: 3,
            description: 'Its grade.',
          };
          schema(document, each).required.push('grade');
        }
      },
    ],
  ),
  ['shorter names', set('ProductName', 'maxLength', 50)],
  ['shorter titles', set('ReviewTitle', 'maxLength', 60)],
  ['longer names', set('UserName', 'minLength', 2)],
  ['another pattern of SKUs', set('Sku', 'pattern', '^[A-Z]+$')],
  ['a lower maximum', set('Quantity', 'maximum', 10)],
  ['a higher minimum', set('Rating', 'minimum', 2)],
  ['fewer tags', set('Tags', 'maxItems', 5)],
  [
    'tags must differ in number',
    (document) => {
      set('Tags', 'minItems', 1)(document);
      document.components.schemas.ProductInput.properties.tags.default = ['new'];
    },
  ],
  ...(['status', 'sku', 'price', 'stock', 'sort'] as const).map(
    (name): RestEdit => [
      `products are no longer asked for by ${name}`,
      (document) => {
        const list = operation(document, '/products', 'get');
        list.parameters = list.parameters.filter((one: Draft) => one.name !== name);
      },
    ],
  ),
  [
    'products are no longer sorted by name',
    (d) => {
      const { items } = named(operation(d, '/products', 'get').parameters, 'sort').schema;
      items.enum = without(without(items.enum, 'name'), '-name');
    },
  ],
  [
    'orders are no longer filtered by an upper total',
    (d) => {
      delete named(operation(d, '/orders', 'get').parameters, 'total').schema.properties.lt;
    },
  ],
  [
    'a limit must be given',
    (d) => {
      d.components.parameters.Limit.required = true;
    },
  ],
  [
    'smaller pages at most',
    (d) => {
      d.components.parameters.Limit.schema.maximum = 50;
    },
  ],
  [
    'smaller pages unless told',
    (d) => {
      d.components.parameters.Limit.schema.default = 10;
    },
  ],
  [
    'orders come in another order',
    (d) => {
      named(operation(d, '/orders', 'get').parameters, 'sort').schema.default = ['total'];
    },
  ],
  [
    'a filter must be given',
    (d) => {
      named(operation(d, '/products', 'get').parameters, 'status').required = true;
    },
  ],
  [
    'an If-Match must be given',
    (d) => {
      d.components.parameters.IfMatch.required = true;
    },
  ],
  ...(
    [
      ['/products', 'post'],
      ['/orders', 'post'],
      ['/users/{userId}', 'patch'],
      ['/products/{productId}', 'delete'],
    ] as const
  ).map(
    ([path, method]): RestEdit => [
      `another scope for ${method} ${path}`,
      (document) => {
        operation(document, path, method).security = [{ bearer: ['other:scope'] }];
      },
    ],
  ),
  ...(['/products', '/products/{productId}', '/products/{productId}/reviews'] as const).map(
    (path): RestEdit => [
      `reading ${path} needs a token`,
      (document) => {
        operation(document, path, 'get').security = [{ bearer: ['products:read'] }];
      },
    ],
  ),
  [
    'a body of another type',
    (d) => {
      const { content } = operation(d, '/orders/{orderId}', 'patch').requestBody;
      delete content['application/json'];
    },
  ],
  [
    'an order can no longer be cancelled',
    (d) => {
      const t = schema(d, 'OrderStatus')['x-transitions'];
      t.PENDING = without(t.PENDING, 'CANCELLED');
    },
  ],
  [
    'an order can no longer be shipped',
    (d) => {
      schema(d, 'OrderStatus')['x-transitions'].PAID = ['CANCELLED'];
    },
  ],
  [
    'a product can no longer be published',
    (d) => {
      const t = schema(d, 'ProductStatus')['x-transitions'];
      t.DRAFT = without(t.DRAFT, 'ACTIVE');
    },
  ],
  [
    'names of products are unique',
    (d) => {
      schema(d, 'Product').properties.name['x-unique'] = true;
      // Items of batches name products by either then.
      schema(d, 'ProductBatchKey').properties.name = schema(d, 'Product').properties.name;
      delete schema(d, 'ProductBatchKey').required;
    },
  ],
  ['a product is ordered once by each order', set('OrderItem', 'x-unique', [['orderId', 'productId']])],
  ['names of users stay', (d) => stays(d, 'User', 'name')],
  ['currencies stay', (d) => stays(d, 'Product', 'currency')],
  ['titles stay', (d) => stays(d, 'Review', 'title')],
  [
    'users keep products',
    inProperty('User', 'favouriteProductId', (node) => {
      node['x-on-delete'] = 'restrict';
    }),
  ],
  [
    'deleted users leave no orders',
    inProperty('Order', 'userId', (node) => {
      node['x-on-delete'] = 'cascade';
    }),
  ],
  [
    'deleted products leave their reviews',
    inProperty('Review', 'productId', (node) => {
      node['x-on-delete'] = 'restrict';
    }),
  ],
  [
    'another scope frees from owning orders',
    (d) => {
      schema(d, 'Order')['x-owner'].scope = 'orders:root';
    },
  ],
  [
    'no scope frees from owning users',
    (d) => {
      delete schema(d, 'User')['x-owner'].scope;
    },
  ],
  [
    'an order begins elsewhere',
    (d) => {
      const s = schema(d, 'OrderStatus');
      s.enum = ['PAID', ...without(s.enum, 'PAID')];
      schema(d, 'OrderInput').properties.status.default = 'PAID';
    },
  ],
  [
    'an error is gone',
    (d) => {
      const s = schema(d, 'ErrorCode');
      s.enum = without(s.enum, 'OUT_OF_STOCK');
      delete s['x-error-codes'].OUT_OF_STOCK;
      stripCode(d, 'OUT_OF_STOCK');
    },
  ],
  [
    'an error has another status',
    (d) => {
      schema(d, 'ErrorCode')['x-error-codes'].OUT_OF_STOCK.status = 422;
      stripCode(d, 'OUT_OF_STOCK');
    },
  ],
  [
    'an error is no longer worth another try',
    (d) => {
      schema(d, 'ErrorCode')['x-error-codes'].CONFLICT.retryable = !schema(d, 'ErrorCode')['x-error-codes'].CONFLICT
        .retryable;
    },
  ],
];

function stripCode(node: Draft, code: string): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'x-error-codes' && Array.isArray(value)) node[key] = without(value, code);
    else stripCode(value, code);
  }
}

export const breakingSdlEdits: readonly SdlEdit[] = [
  ...[
    'Product.stock',
    'Order.total',
    'Review.rating',
    'User.email',
    'OrderItem.unitPrice',
    'Address.city',
    'PageInfo.endCursor',
    'ProductConnection.nodes',
    'ProductConnection.totalCount',
  ].map((coordinate): SdlEdit => [`${coordinate} is gone`, field(coordinate, gone)]),
  ...[
    'Query.users',
    'Query.product',
    'Query.review',
    'Mutation.createOrder',
    'Mutation.updateProduct',
    'Mutation.deleteUser',
    'Subscription.orderUpdated',
    'Subscription.productCreated',
  ].map((coordinate): SdlEdit => [`${coordinate} is gone`, field(coordinate, gone)]),
  ...['User.orders', 'Order.user', 'OrderItem.product', 'Product.reviews'].map(
    (coordinate): SdlEdit => [`${coordinate} is gone`, field(coordinate, gone)],
  ),
  ['no order of products', argument('Query.products', 'sort', gone)],
  ['no version to update', argument('Mutation.updateOrder', 'ifVersion', gone)],
  ['no cursor for users', argument('Query.users', 'after', gone)],
  ['first is required', argument('Query.products', 'first', ofType('Int!'))],
  ['a filter is required', argument('Query.orders', 'filter', ofType('OrderFilter!'))],
  ['another default of first', argument('Query.products', 'first', withDefault('50'))],
  ['another default order', argument('Query.orders', 'sort', withDefault('[CREATED_AT_ASC]'))],
  ['a new argument that is required', addArgument('Query.product', 'locale: String!')],
  ['a new argument of a mutation that is required', addArgument('Mutation.createUser', 'reason: String!')],
  ...['ProductInput.tags', 'UserPatch.address', 'OrderFilter.status', 'ReviewInput.body'].map(
    (coordinate): SdlEdit => [`${coordinate} is gone`, field(coordinate, gone)],
  ),
  ['a new property is required', addInput('ProductInput', 'grade: Int!')],
  ['a note is required', field('OrderInput.note', ofType('String!'))],
  ['a filter is a list no more', field('ProductFilter.status', ofType('ProductStatus'))],
  ['a quantity is text', field('OrderItemInput.quantity', ofType('String!'))],
  ...(['Product.name', 'Order.status', 'User.email'] as const).map(
    (coordinate): SdlEdit => [
      `${coordinate} may be null`,
      field(coordinate, (node) => ({ ...node, type: node.type.type })),
    ],
  ),
  ['a stock is a fraction', field('Product.stock', ofType('Float!'))],
  ['tags are one', field('Product.tags', ofType('String!'))],
  ['totals are SafeInt no more', field('Order.total', ofType('Int!'))],
  ['a status is gone', enumValues('OrderStatus', (values) => values.slice(0, -1))],
  ['a status is new', enumValues('ProductStatus', (values) => [...values, 'HIDDEN'])],
  ['an order of products is gone', enumValues('ProductSort', (values) => values.slice(1))],
  ['a delivery is gone', type<Draft>('Delivery', (node) => ({ ...node, types: node.types.slice(0, 1) }))],
  ['products need a token', field('Query.products', withDirectives('@auth(scopes: ["products:read"])'))],
  ['one product needs a token', field('Query.product', withDirectives('@auth(scopes: ["products:read"])'))],
  ['another scope to create', field('Mutation.createProduct', withDirectives('@auth(scopes: ["products:root"])'))],
  ['one scope less is enough no more', field('Query.orders', withDirectives('@auth(scopes: ["orders:admin"])'))],
  ['less depth', limit('depth', 5)],
  ['less cost', limit('cost', 500)],
  ['fewer tokens', limit('tokens', 500)],
  ['fewer aliases', limit('aliases', 5)],
  ['shorter documents', limit('documentBytes', 8_000)],
  [
    'smaller pages',
    field(
      'Query.products',
      withDirectives('@listSize(assumedSize: 50, slicingArguments: ["first"], sizedFields: ["edges", "nodes"])'),
    ),
  ],
  ['a product weighs more', field('Query.product', withDirectives('@cost(weight: "20")'))],
];
