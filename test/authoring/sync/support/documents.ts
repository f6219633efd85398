/** Small documents of others, by what is hard about them. */
const of = (paths: string, schemas = '', more = ''): string =>
  `openapi: 3.1.0\ninfo: { title: Depot, version: 1.0.0 }\nservers: [{ url: /v1 }]\n${more}paths:\n${paths}components:\n  schemas:\n    Thing: { type: object, required: [name], properties: { name: { type: string } } }\n${schemas}`;

const answer = (schema: string): string =>
  `responses: { '200': { description: Ok., content: { application/json: { schema: ${schema} } } } }`;
const body = (schema: string, type = 'application/json'): string =>
  `requestBody: { required: true, content: { ${type}: { schema: ${schema} } } }`;
const THING = "{ $ref: '#/components/schemas/Thing' }";
const READ = `  /things: { get: { operationId: readThings, ${answer(`{ type: array, items: ${THING} }`)} } }\n`;
const get = (path: string, schema: string, parameters = '[]'): string =>
  `  ${path}: { get: { operationId: get${path.replace(/\W/g, '')}, parameters: ${parameters}, ${answer(schema)} } }\n`;
const post = (path: string, schema: string, answered = THING): string =>
  `  ${path}: { post: { operationId: post${path.replace(/\W/g, '')}, ${body(schema)}, ${answer(answered)} } }\n`;

/** Names of schemas that languages, GraphQL or generated code use otherwise. */
const NAMES = [
  'Int',
  'ID',
  'DateTime',
  'Upload',
  'Mutation',
  'Query_',
  'Any',
  'Error',
  'Connection',
  'Edge',
  'Maybe',
  'Scalars',
  'InputMaybe',
  'GraphqlContext',
  'Handlers',
  'Promise',
  'undefined',
  'null',
  'enum',
  'interface',
  'schema',
  'on',
];

export const DOCUMENTS: Readonly<Record<string, string>> = {
  'forms and files': of(
    `${READ}  /form: { post: { operationId: sendForm, ${body(THING, 'application/x-www-form-urlencoded')}, ${answer(THING)} } }
  /photo:
    put: { operationId: putPhoto, ${body('{ type: string, format: binary }', 'image/png')}, responses: { '204': { description: Kept. } } }
    get: { operationId: getPhoto, responses: { '200': { description: Ok., content: { image/png: { schema: { type: string, format: binary } } } } } }
  /upload: { post: { operationId: upload, ${body('{ type: object, properties: { file: { type: string, format: binary } } }', 'multipart/form-data')}, ${answer(THING)} } }
  /table: { get: { operationId: table, responses: { '200': { description: Ok., content: { text/csv: { schema: { type: string } } } } } } }
`,
  ),
  'nothing to read': of(post('/things', THING)),
  'siblings of references': of(
    `${get('/first', `{ $ref: '#/components/schemas/Thing', required: [name, size], properties: { size: { type: integer } } }`)}${READ}${post('/other', `{ type: object, properties: { a: ${THING}, b: { $ref: '#/components/schemas/Thing', properties: { extra: { type: string } } }, c: { $ref: '#/components/schemas/Colour', enum: [RED] }, d: { $ref: '#/components/schemas/Colour', description: Any. } } }`)}`,
    '    Colour: { type: string, enum: [RED, GREEN] }\n',
  ),
  'values of several types': of(
    `${get('/mixed', `{ type: object, properties: { id: { oneOf: [{ type: string }, { type: integer }] }, code: { type: [string, integer] }, size: { type: [integer, number] }, any: {}, flags: { type: array, items: { anyOf: [{ type: string }, { type: boolean }] } }, level: { enum: [1, two, null] } } }`)}${post('/mix', `{ type: object, properties: { id: { oneOf: [{ type: string }, { type: integer }] }, code: { type: [string, integer, 'null'] } } }`)}`,
  ),
  'unions of every kind': of(
    `${get('/pets', `{ type: array, items: { $ref: '#/components/schemas/Pet' } }`)}${post('/pets2', `{ $ref: '#/components/schemas/Pet' }`, `{ $ref: '#/components/schemas/Loose' }`)}${get('/wild', `{ anyOf: [${THING}, { type: 'null' }] }`)}${get('/one', `{ oneOf: [${THING}, { $ref: '#/components/schemas/Cat' }] }`)}`,
    `    Cat: { type: object, required: [kind], properties: { kind: { const: cat }, lives: { type: integer } } }
    Dog: { type: object, required: [kind], properties: { kind: { const: dog }, tail: { type: boolean } } }
    Fish: { type: object, properties: { fins: { type: integer } } }
    Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind } }
    Loose: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Fish' }] }
`,
  ),
  'a parent and its children': of(
    `${get('/events', `{ type: array, items: { $ref: '#/components/schemas/Event' } }`)}${post('/events2', `{ $ref: '#/components/schemas/Event' }`)}`,
    `    Event: { type: object, required: [type], properties: { type: { type: string } }, discriminator: { propertyName: type, mapping: { made: '#/components/schemas/Made', gone: '#/components/schemas/Gone' } } }
    Made: { allOf: [{ $ref: '#/components/schemas/Event' }, { type: object, properties: { by: { type: string } } }] }
    Gone: { allOf: [{ $ref: '#/components/schemas/Event' }, { type: object, properties: { why: { type: string } } }] }
`,
  ),
  'nested lists': of(
    `${get('/grid', `{ type: object, properties: { cells: { type: array, items: { type: array, items: { type: object, properties: { x: { type: integer } } } } }, pairs: { type: array, items: { type: array, prefixItems: [{ type: string }, { type: integer }] } } } }`)}${get('/matrix', `{ type: array, items: { type: array, items: { type: number } } }`)}${post('/grid2', `{ type: array, items: { type: array, items: ${THING} } }`)}`,
  ),
  'enums of every spelling': of(
    `${get('/shades', `{ type: object, properties: { shade: { type: string, enum: [in-progress, done, '3d', 'true', ''] }, votes: { $ref: '#/components/schemas/Votes' }, level: { type: integer, enum: [1, 2] } } }`)}${READ}`,
    `    Votes: { type: string, enum: ['+1', '-1'] }\n`,
  ),
  'names that collide': of(
    `${READ}${get('/dollars', `{ type: object, properties: { $type: { type: string }, type: { type: string } } }`)}${get('/search', THING, `[{ name: $filter, in: query, schema: { type: string } }, { name: filter, in: query, schema: { type: string } }]`)}${get('/ops', `{ $ref: '#/components/schemas/v1.Job' }`)}${get('/ops2', `{ $ref: '#/components/schemas/v1Job' }`)}`,
    `    v1.Job: { type: object, properties: { a: { type: string } } }\n    v1Job: { type: object, properties: { b: { type: string } } }\n`,
  ),
  'names of types that GraphQL or the convention have': of(
    `${READ}${get('/query', `{ $ref: '#/components/schemas/Query' }`)}${get('/string', `{ $ref: '#/components/schemas/String' }`)}${post('/mutation', `{ $ref: '#/components/schemas/ThingInput' }`)}${post('/thing', THING)}${get('/page', `{ $ref: '#/components/schemas/PageInfo' }`)}${get('/json', `{ $ref: '#/components/schemas/JSON' }`)}`,
    `    Query: { type: object, properties: { q: { type: string } } }
    String: { type: object, properties: { s: { type: string } } }
    ThingInput: { type: object, properties: { other: { type: integer } } }
    PageInfo: { type: object, properties: { total: { type: integer } } }
    JSON: { type: object, properties: { j: { type: string } } }
`,
  ),
  'lists with the names of lists': of(
    `${get('/things2', `{ $ref: '#/components/schemas/ThingConnection' }`)}${get('/things3', `{ type: object, properties: { edges: { type: array, items: { $ref: '#/components/schemas/ThingEdge' } } } }`)}`,
    `    ThingConnection: { type: object, properties: { nodes: { type: array, items: ${THING} }, next: { type: string } } }\n    ThingEdge: { type: object, properties: { node: ${THING} } }\n`,
  ),
  'combined filters in a parameter': of(
    `${get('/search', `{ type: array, items: ${THING} }`, `[{ name: filter, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/Condition' } } } }, { name: where, in: query, style: deepObject, schema: { type: object, properties: { name: { type: string }, size: { type: object, properties: { gt: { type: integer } } } } } }, { name: ids, in: query, schema: { type: array, items: { type: string } } }]`)}`,
    `    Condition: { type: object, properties: { and: { type: array, items: { $ref: '#/components/schemas/Condition' } }, name: { type: string } } }\n`,
  ),
  'security of several schemes': of(
    `${READ}  /both: { get: { operationId: both, security: [{ key: [], bearer: [] }], ${answer(THING)} } }\n  /either: { get: { operationId: either, security: [{ key: [] }, { bearer: [a] }], ${answer(THING)} } }\n`,
    `  securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, bearer: { type: http, scheme: bearer } }\n`,
  ),
  'headers, cookies and odd methods': of(
    `${READ}  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, { name: X-Trace, in: header, required: true, schema: { type: string } }, { name: sid, in: cookie, schema: { type: string } }]
    head: { operationId: headThing, responses: { '204': { description: There. } } }
    put: { operationId: putThing, ${body(THING)}, ${answer(THING)} }
    delete: { operationId: dropThing, responses: { '204': { description: Gone. } } }
    options: { operationId: optionsThing, responses: { '204': { description: Ok. } } }
    trace: { operationId: traceThing, responses: { '204': { description: Ok. } } }
`,
  ),
  'circles, maps and free objects': of(
    `${get('/tree', `{ $ref: '#/components/schemas/Node' }`)}${get('/map', `{ type: object, additionalProperties: { $ref: '#/components/schemas/Thing' } }`)}${post('/free', '{ type: object }', '{ type: object, additionalProperties: true, properties: { known: { type: string } } }')}`,
    `    Node: { type: object, properties: { child: { $ref: '#/components/schemas/Node' }, all: { type: array, items: { $ref: '#/components/schemas/Node' } }, parent: { oneOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] } } }\n`,
  ),
  'empty objects and answers of nothing': of(
    `${get('/empty', `{ $ref: '#/components/schemas/Empty' }`)}${post('/nothing', `{ $ref: '#/components/schemas/Empty' }`)}  /ping: { get: { operationId: ping, responses: { '204': { description: Ok. } } } }\n  /num: { get: { operationId: num, ${answer('{ type: integer }')} } }\n  /void: { post: { operationId: void, responses: { '202': { description: Ok. } } } }\n`,
    `    Empty: { type: object, properties: {} }\n`,
  ),
  'ids and names in other spellings': of(
    `${READ}  /a-b/{item_id}: { get: { operationId: 'get a-b', parameters: [{ name: item_id, in: path, required: true, schema: { type: string } }, { name: 'page[size]', in: query, schema: { type: integer } }], ${answer(`{ type: object, properties: { 2fa: { type: boolean }, 'first.name': { type: string }, __typename: { type: string } } }`)} } }\n  /c: { get: { operationId: Get-C, ${answer(THING)} } }\n  /d: { get: { ${answer(THING)} } }\n`,
  ),
  'operations and types that would have one name': of(
    `${READ}${post('/thing1', '{ type: object, properties: { a: { type: string } } }', '{ type: object, properties: { b: { type: string } } }').replace('postthing1', 'make-thing')}${post('/thing2', '{ type: object, properties: { c: { type: string } } }', '{ type: object, properties: { d: { type: string } } }').replace('postthing2', 'make_thing')}${get('/digits', THING).replace('getdigits', '2 digits')}${post('/other', '{ type: object, properties: { e: { type: string } } }').replace('postother', 'other')}${post('/odd', "{ $ref: '#/components/schemas/OtherInput' }")}`,
    '    OtherInput: { type: object, properties: { f: { type: string } } }\n',
  ),
  'parts of allOf': of(
    `${get('/whole', `{ allOf: [${THING}, { type: object, required: [size], properties: { size: { type: integer, readOnly: true } } }] }`)}${post('/whole2', `{ allOf: [${THING}, { type: object, properties: { secret: { type: string, writeOnly: true } } }] }`, `{ $ref: '#/components/schemas/Whole' }`)}`,
    `    Whole: { allOf: [${THING}, { type: object, properties: { more: { allOf: [${THING}] }, maybe: { oneOf: [${THING}, { type: 'null' }] } } }] }\n`,
  ),
  'types without fields': of(
    `${get('/secret', "{ $ref: '#/components/schemas/Secret' }")}${post('/given', "{ type: object, properties: { inner: { $ref: '#/components/schemas/Given' }, other: { type: object, properties: { x: { type: string, readOnly: true } } }, ping: { $ref: '#/components/schemas/Signal' } } }", "{ $ref: '#/components/schemas/Signal' }")}${get('/none', `{ type: object, properties: { none: { enum: [null] } } }`)}`,
    `    Secret: { type: object, properties: { word: { type: string, writeOnly: true } } }
    Given: { type: object, properties: { id: { type: string, readOnly: true } } }
    Signal: { oneOf: [{ $ref: '#/components/schemas/Ping' }, { $ref: '#/components/schemas/Stop' }], discriminator: { propertyName: kind } }
    Ping: { type: object, required: [kind], properties: { kind: { const: ping } } }
    Stop: { type: object, required: [kind], properties: { kind: { const: stop }, after: { type: integer } } }
`,
  ),
  'names of words, of GraphQL and of code': of(
    NAMES.map(
      (name, i) =>
        get(`/a${i}`, `{ $ref: '#/components/schemas/${name}' }`) +
        post(`/b${i}`, `{ $ref: '#/components/schemas/${name}' }`),
    ).join(''),
    NAMES.map(
      (name) =>
        `    '${name}': { type: object, required: [p], properties: { p: { type: string }, more: { type: array, items: { $ref: '#/components/schemas/${name}' } }, webConnection: { $ref: '#/components/schemas/Connection' } } }\n`,
    ).join(''),
  ),
  'defaults of parameters and members': of(
    `${get('/defaults', THING, "[{ name: f, in: query, style: deepObject, schema: { type: object, properties: { a: { type: integer, default: 3 }, b: { type: string, enum: [x, 'y z'], default: 'y z' } } } }, { name: l, in: query, schema: { type: array, items: { type: string, enum: [p, q] }, default: [p] } }, { name: must, in: query, required: true, schema: { type: integer, default: 1 } }, { name: n, in: query, schema: { type: [integer, 'null'], default: null } }]")}${post('/members', "{ type: object, properties: { e: { type: string, enum: [x, 'y z'], default: 'y z' }, list: { type: array, items: { type: object, properties: { q: { type: string } } }, default: [{ q: a }] }, o: { type: object, default: { b: [1] } }, nested: { type: object, properties: { z: { type: string } }, default: { z: a } } } }")}`,
  ),
  'operations with the names of members of objects': of(
    ['query', 'mutation', 'subscription', 'constructor', 'toString', 'Query', 'input', 'class', '__typename']
      .map(
        (id, i) =>
          get(`/m${i}`, THING).replace(`getm${i}`, `'${id}'`) + post(`/n${i}`, THING).replace(`postn${i}`, `'${id}_'`),
      )
      .join(''),
  ),
};
