import type { OpenApiDocument } from '../../../../src/descriptor/document.ts';
import type { ResourceDescriptor } from '../../../../src/descriptor/resource.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const uuid = { type: 'string', format: 'uuid' };
const catId = { name: 'catId', in: 'path', required: true, schema: uuid };
const problem = (...codes: string[]) => ({
  description: 'Problem',
  content: { 'application/problem+json': { schema: {} } },
  'x-error-codes': codes,
});
const query = (name: string, schema: object, more: object = {}) => ({ name, in: 'query', schema, ...more });

/** A contract with one resource and custom operations for every way to send a parameter or a body. */
export const zooDocument = {
  openapi: '3.1.0',
  info: { title: 'Zoo', version: '1.0.0' },
  servers: [{ url: 'https://zoo.example/v1' }],
  security: [{ bearer: [] }],
  paths: {
    '/cats': {
      get: {
        operationId: 'listCats',
        security: [],
        parameters: [
          query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
          query('cursor', { type: 'string' }),
          query('count', { type: 'boolean', default: false }),
          query('sort', { type: 'array', items: { type: 'string', enum: ['name', '-name'] } }, { explode: false }),
          query('colour', { type: 'array', items: ref('Colour') }, { explode: false }),
          query(
            'age',
            { type: 'object', properties: { gte: { type: 'integer' }, lt: { type: 'integer' } } },
            { style: 'deepObject' },
          ),
        ],
        responses: {
          200: { description: 'Cats', content: json(ref('CatPage')) },
          400: problem('VALIDATION_FAILED', 'MALFORMED_REQUEST'),
          406: problem('NOT_ACCEPTABLE'),
          500: problem('INTERNAL_ERROR'),
        },
      },
      post: {
        operationId: 'createCat',
        security: [{ bearer: ['cats:write'] }],
        requestBody: { required: true, content: json(ref('CatInput')) },
        responses: { 201: { description: 'Cat', content: json(ref('Cat')) } },
      },
    },
    '/cats/{catId}': {
      parameters: [catId],
      get: { operationId: 'getCat', responses: { 200: { description: 'Cat', content: json(ref('Cat')) } } },
      put: {
        operationId: 'replaceCat',
        requestBody: { required: true, content: json(ref('CatInput')) },
        responses: { 200: { description: 'Cat', content: json(ref('Cat')) } },
      },
      patch: {
        operationId: 'updateCat',
        requestBody: {
          required: true,
          content: { 'application/merge-patch+json': { schema: ref('CatPatch') }, ...json(ref('CatPatch')) },
        },
        responses: { 200: { description: 'Cat', content: json(ref('Cat')) } },
      },
      delete: { operationId: 'deleteCat', responses: { 204: { description: 'Gone' } } },
    },
    '/cats/oldest': {
      get: {
        operationId: 'getOldestCat',
        security: [{}, { bearer: [] }],
        deprecated: true,
        'x-deprecated-since': '2026-11-01',
        'x-sunset': '2030-01-31',
        externalDocs: { url: 'https://zoo.example/oldest?why=age' },
        responses: { 200: { description: 'Cat', content: json(ref('Cat')) } },
      },
    },
    '/echo/{word}': {
      parameters: [
        { name: 'word', in: 'path', required: true, schema: { type: 'string' } },
        query('q', { type: 'integer' }),
      ],
      get: {
        operationId: 'echo',
        security: [],
        parameters: [
          query('q', { type: 'string' }),
          query('integer', { type: 'integer' }),
          query('number', { type: 'number' }),
          query('boolean', { type: 'boolean' }),
          query('many', { type: 'array', items: { type: 'integer' } }),
          query('free', { type: 'array', items: { type: 'string' } }, { explode: false }),
          query('pipes', { type: 'array', items: { type: 'string' } }, { style: 'pipeDelimited', explode: false }),
          query('spaces', { type: 'array', items: { type: 'string' } }, { style: 'spaceDelimited', explode: false }),
          query(
            'where',
            {
              type: 'object',
              properties: { a: { type: 'integer' }, in: { type: 'array', items: { type: 'integer' } } },
            },
            { style: 'deepObject' },
          ),
          query('pair', {
            type: 'object',
            properties: {
              x: { type: 'integer' },
              y: { type: 'integer' },
              order: { type: 'array', items: { type: 'string' } },
            },
          }),
          query('flat', { type: 'object', properties: { r: { type: 'integer' } } }, { explode: false }),
          { name: 'filter', in: 'query', content: json({ type: 'object', properties: { a: { type: 'integer' } } }) },
          query('nullable', { type: ['integer', 'null'] }),
          { name: 'X-Tag', in: 'header', schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'session', in: 'cookie', schema: { type: 'integer' } },
        ],
        responses: { 200: { description: 'Echo', content: json({}) } },
      },
    },
    '/points/{x},{y}': {
      parameters: [
        { name: 'x', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'y', in: 'path', required: true, schema: { type: 'integer' } },
      ],
      get: { operationId: 'getPoint', security: [], responses: { 200: { description: 'Point', content: json({}) } } },
    },
    '/odd/{odd-name}:run': {
      post: {
        operationId: 'runOdd',
        security: [],
        parameters: [{ name: 'odd-name', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 202: { description: 'Accepted' } },
      },
    },
    '/documents': {
      post: {
        operationId: 'addDocument',
        security: [],
        requestBody: {
          required: true,
          content: {
            ...json({ type: 'object', required: ['title'], properties: { title: { type: 'string' } } }),
            'text/plain': { schema: { type: 'string', maxLength: 10 } },
            'image/*': {},
          },
        },
        responses: {
          201: {
            description: 'Document',
            content: {
              ...json({
                type: 'object',
                properties: { title: { type: 'string' }, secret: { type: 'string', writeOnly: true } },
              }),
              'text/csv': { schema: { type: 'string' } },
            },
          },
        },
      },
    },
    '/keys': {
      get: { operationId: 'listKeys', security: [{ apiKey: [] }], responses: { 204: { description: 'None' } } },
    },
    '/broken': {
      get: {
        operationId: 'broken',
        security: [],
        responses: {
          200: { description: 'Number', content: json({ type: 'integer' }) },
          404: problem('NOT_FOUND'),
          500: problem('INTERNAL_ERROR'),
        },
      },
    },
  },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    },
    schemas: {
      Colour: { type: 'string', enum: ['BLACK', 'GINGER'] },
      Cat: {
        type: 'object',
        required: ['id', 'version', 'name', 'colour'],
        properties: {
          id: { ...uuid },
          version: { type: 'integer' },
          name: { type: 'string' },
          colour: ref('Colour'),
        },
      },
      CatInput: {
        type: 'object',
        required: ['name', 'colour'],
        properties: { name: { type: 'string', minLength: 1, maxLength: 80 }, colour: ref('Colour') },
      },
      CatPatch: { type: 'object', properties: { name: { type: 'string', minLength: 1 }, colour: ref('Colour') } },
      CatPage: {
        type: 'object',
        required: ['data', 'page'],
        properties: {
          data: { type: 'array', items: ref('Cat') },
          page: {
            type: 'object',
            required: ['nextCursor'],
            properties: { nextCursor: { type: ['string', 'null'] }, totalCount: { type: 'integer' } },
          },
        },
      },
    },
  },
} as unknown as OpenApiDocument;

const access = (...scopes: string[]) => ({ anyOf: [{ schemes: [{ name: 'bearer', scopes }] }] });

export const catDescriptor: ResourceDescriptor = {
  key: 'cats',
  name: 'Cat',
  table: 'cats',
  path: '/cats',
  idParameter: 'catId',
  properties: [],
  unique: [],
  actions: {
    list: { operationId: 'listCats', access: { anyOf: [] } },
    get: { operationId: 'getCat', access: access() },
    create: { operationId: 'createCat', access: access('cats:write') },
    replace: { operationId: 'replaceCat', access: access() },
    update: { operationId: 'updateCat', access: access() },
    delete: { operationId: 'deleteCat', access: access() },
  },
  schemas: { resource: 'Cat', input: 'CatInput', patch: 'CatPatch' },
};
