import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/compiler/build-model.ts';
import type { ContractModel, Modelled } from '../../src/compiler/model/model.ts';
import type { OpenApiDocument, Response } from '../../src/descriptor/document.ts';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { standardErrors } from '../../src/descriptor/standard-errors.ts';
import { parseContract, readSingleFile } from '../support/single-file-contract.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const shelterText = readFileSync(join(fixtures, 'valid/shelter/openapi.yaml'), 'utf8');

function modelOf({ model, findings }: Modelled): ContractModel {
  if (model === undefined) throw new Error(JSON.stringify(findings, null, 2));
  return model;
}

/** The shelter contract with pieces of its text replaced. */
function shelter(...replacements: readonly (readonly [before: string, after: string])[]): ContractModel {
  const text = replacements.reduce((whole, [before, after]) => {
    expect(whole).toContain(before);
    return whole.replace(before, after);
  }, shelterText);
  return modelOf(buildModel(parseContract(text)));
}

function resource(model: ContractModel, key: string): ResourceDescriptor {
  const found = model.resources.find((one) => one.key === key);
  if (found === undefined) throw new Error(`no resource ${key}`);
  return found;
}

function property(model: ContractModel, key: string, name: string) {
  return resource(model, key).properties.find((one) => one.name === name);
}

function operation(model: ContractModel, operationId: string) {
  return model.operations.find((one) => one.operationId === operationId)!;
}

/** The response of a completed document, its reference followed. */
function response(document: OpenApiDocument, path: string, method: 'get' | 'put' | 'post' | 'patch', status: number) {
  const declared = document.paths[path]![method]!.responses[status] as Response & { $ref?: string };
  const name = declared?.$ref?.replace('#/components/responses/', '');
  return name === undefined ? declared : document.components!.responses![name]!;
}

describe('resources', () => {
  it.each(['cats', 'valid/shelter'])('%s are described as its golden file says', async (folder) => {
    const { resources } = modelOf(buildModel(readSingleFile(join(fixtures, folder))));
    const golden = join(fixtures, folder.startsWith('valid') ? folder : 'valid/cats', 'resources.json');
    await expect(`${JSON.stringify(resources, null, 2)}\n`).toMatchFileSnapshot(golden);
  });

  it('take properties, requirements and extensions from every branch of allOf', () => {
    const cat = resource(shelter(), 'cats');
    expect(cat.properties.map(({ name }) => name)).toEqual([
      'id',
      'version',
      'createdAt',
      'updatedAt',
      'keeperId',
      'name',
      'chip',
      'status',
      'lives',
      'weight',
      'shelterId',
    ]);
    expect(cat.owner).toEqual({ property: 'keeperId', scope: 'cats:admin', reads: 'owner' });
  });

  it('may refer to themselves through objects', () => {
    const model = shelter([
      'city: { type: string }',
      "city: { type: string }\n        branches: { type: array, items: { $ref: '#/components/schemas/Shelter' } }",
    ]);
    expect(property(model, 'shelters', 'branches')).toMatchObject({ type: 'json' });
  });

  it('know null as a value, however it is written', () => {
    const written = [
      "{ oneOf: [{ type: string }, { type: 'null' }] }",
      "{ anyOf: [{ type: 'null' }, { type: string }] }",
    ];
    for (const schema of [...written, "{ type: ['null', string] }"]) {
      const model = shelter(['city: { type: string }', `city: ${schema}`]);
      expect(property(model, 'shelters', 'city')).toMatchObject({ type: 'string', nullable: true });
    }
  });

  it.each([
    ['{ type: string }', 'string'],
    ['{ type: string, format: email }', 'string'],
    ['{ type: string, format: uuid }', 'uuid'],
    ['{ type: string, format: date }', 'date'],
    ['{ type: string, format: date-time }', 'date-time'],
    ['{ type: string, format: int64 }', 'int64'],
    ['{ type: string, format: decimal }', 'decimal'],
    ['{ type: integer }', 'integer'],
    ['{ type: integer, format: int32 }', 'integer'],
    ['{ type: number }', 'number'],
    ['{ type: boolean }', 'boolean'],
    ['{ enum: [ONE, TWO] }', 'string'],
    ['{ type: object }', 'json'],
    ['{ type: array, items: { type: string } }', 'json'],
    ['{ type: [string, integer] }', 'json'],
    ['{}', 'json'],
  ])('keep %s as %s', (schema, type) => {
    const model = shelter(['city: { type: string }', `city: ${schema}`]);
    expect(property(model, 'shelters', 'city')).toMatchObject({ type, nullable: false });
  });

  it('begin in the first state of a machine, and every state has its moves', () => {
    expect(property(shelter(), 'cats', 'status')).toMatchObject({
      initial: 'STRAY',
      transitions: { STRAY: ['HOUSED'], HOUSED: ['STRAY', 'ADOPTED'], ADOPTED: [] },
    });
  });

  it('refer to their parent, and go with it unless the contract says otherwise', () => {
    const cascade = { resource: 'cats', onDelete: 'cascade' };
    expect(property(shelter(), 'cats.naps', 'catId')).toMatchObject({ origin: 'parent', references: cascade });
    const kept = shelter([
      'catId: { type: string, format: uuid }\n    Cat:',
      'catId: { type: string, format: uuid, x-on-delete: restrict }\n    Cat:',
    ]);
    expect(property(kept, 'cats.naps', 'catId')?.references?.onDelete).toBe('restrict');
  });

  it('need neither input nor patch when nothing writes them', () => {
    expect(resource(shelter(), 'shelters').schemas).toEqual({ resource: 'Shelter' });
  });
});

describe('operations', () => {
  it('are actions of resources by path and method', () => {
    const actions = shelter().operations.map(({ operationId, default: standard }) => [operationId, standard]);
    expect(Object.fromEntries(actions)).toEqual({
      getShelter: { resource: 'shelters', action: 'get' },
      listCats: { resource: 'cats', action: 'list' },
      createCat: { resource: 'cats', action: 'create' },
      getCat: { resource: 'cats', action: 'get' },
      updateCat: { resource: 'cats', action: 'update' },
      deleteCat: { resource: 'cats', action: 'delete' },
      getNap: { resource: 'cats.naps', action: 'get' },
    });
  });

  it('ask for what the document does, unless they say otherwise', () => {
    const model = shelter(['operationId: getShelter', 'operationId: getShelter\n      security: [{}, { token: [] }]']);
    expect(operation(model, 'getCat').access).toEqual({
      anyOf: [{ schemes: [{ name: 'token', scopes: ['cats:write'] }] }],
    });
    expect(operation(model, 'getShelter').access).toEqual({
      anyOf: [{ schemes: [] }, { schemes: [{ name: 'token', scopes: [] }] }],
    });
  });

  it('answer the codes that their action implies, and no others', () => {
    const model = shelter();
    expect(operation(model, 'getCat').errorCodes).toEqual([
      'MALFORMED_REQUEST',
      'VALIDATION_FAILED',
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'NOT_FOUND',
      'NOT_ACCEPTABLE',
      'PRECONDITION_FAILED',
      'TOO_MANY_REQUESTS',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ]);
    expect(operation(model, 'listCats').errorCodes).toContain('INVALID_CURSOR');
    expect(operation(model, 'createCat').errorCodes).toEqual(
      expect.arrayContaining(['ALREADY_EXISTS', 'REFERENCE_NOT_FOUND', 'ILLEGAL_TRANSITION', 'UNSUPPORTED_MEDIA_TYPE']),
    );
    expect(operation(model, 'createCat').errorCodes).not.toContain('PRECONDITION_FAILED');
  });

  const hidden = [
    'city: { type: string }',
    "city: { type: [string, 'null'], x-access: { read: [{ scope: 'cats:admin' }] } }",
  ] as const;
  const asking = (parameter: string) =>
    [
      "      responses:\n        '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/CatPage' } } } }",
      `        - ${parameter}\n$&`,
    ] as const;
  const filter =
    "{ name: filter, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/CatFilter' } } } }";
  const filters = [
    '    CatInput:\n',
    `    CatFilter: { type: object, additionalProperties: false, properties: { shelter: { $ref: '#/components/schemas/ShelterFilter' } } }
    ShelterFilter: { type: object, additionalProperties: false, properties: { city: { type: string } } }
$&`,
  ] as const;
  const reference =
    '{ name: shelter, in: query, style: deepObject, schema: { type: object, additionalProperties: false, properties: { city: { type: string } } } }';
  const open = ["security: [{ token: ['cats:write'] }]", 'security: [{ token: [] }]'] as const;

  it.each([
    ['a filter that goes to other rows', [asking(filter), filters]],
    ['a parameter that is named for a reference', [asking(reference)]],
  ])('answer FORBIDDEN where %s compares what some may not read, and nowhere else', (_, edits) => {
    expect(operation(shelter(open, hidden), 'listCats').errorCodes).not.toContain('FORBIDDEN');
    expect(operation(shelter(open, ...edits), 'listCats').errorCodes).not.toContain('FORBIDDEN');
    expect(operation(shelter(open, hidden, ...edits), 'listCats').errorCodes).toContain('FORBIDDEN');
    const followed = [
      'x-references: Shelter',
      "x-references: Shelter\n          x-access: { read: [{ scope: 'cats:admin' }] }",
    ] as const;
    expect(operation(shelter(open, followed, ...edits), 'listCats').errorCodes).toContain('FORBIDDEN');
  });

  it.each(['restrict', 'cascade'])('answer STILL_REFERENCED only where a reference leads to (%s)', (onDelete) => {
    const held = shelter([
      'catId: { type: string, format: uuid }\n    Cat:',
      `catId: { type: string, format: uuid, x-on-delete: ${onDelete} }\n    Cat:`,
    ]);
    expect(operation(held, 'deleteCat').errorCodes).toContain('STILL_REFERENCED');
    expect(operation(held, 'updateCat').errorCodes).not.toContain('STILL_REFERENCED');
  });
});

describe('the completed document', () => {
  it('has the schemas of errors when the author gives none', () => {
    const { document, errors } = shelter();
    const { REFUSED_BY_DATABASE: _, ...others } = standardErrors;
    expect(errors).toEqual(others);
    expect(document.components!.schemas).toHaveProperty(
      'Problem.properties.code.$ref',
      '#/components/schemas/ErrorCode',
    );
    expect(document.components!.schemas).toHaveProperty('ErrorCode.enum', Object.keys(others));
  });

  it('answers each implied code in the response of its status, as a problem', () => {
    const { document } = shelter();
    expect(response(document, '/cats', 'post', 409)).toMatchObject({
      'x-error-codes': ['ALREADY_EXISTS', 'ILLEGAL_TRANSITION', 'CONFLICT'],
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    });
  });

  it('adds the codes that a declared response leaves out, and keeps its words', () => {
    const model = shelter(['x-error-codes: [NOT_FOUND]', 'x-test: kept']);
    expect(response(model.document, '/cats/{catId}', 'patch', 404)).toEqual({
      description: 'No such cat.',
      'x-test': 'kept',
      'x-error-codes': ['NOT_FOUND'],
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    });
  });

  it('has the validators of the actions', () => {
    const { document } = shelter();
    expect(document.paths['/cats/{catId}']!.get!.responses).toHaveProperty('304');
    expect(response(document, '/cats', 'post', 201).headers).toHaveProperty('Location');
    expect(response(document, '/cats/{catId}', 'patch', 200).headers).toHaveProperty('ETag');
  });

  it('has the header fields of limits and of what may be sent again', () => {
    const { document } = shelter();
    const headersOf = (status: number) => Object.keys(response(document, '/cats', 'post', status).headers ?? {});
    expect(headersOf(201)).toEqual(expect.arrayContaining(['ETag', 'Location', 'RateLimit', 'RateLimit-Policy']));
    expect(headersOf(429)).toEqual(['Retry-After', 'RateLimit', 'RateLimit-Policy']);
    expect(headersOf(503)).toEqual(['Retry-After']);
    expect(headersOf(409)).toEqual([]);
    expect(document.components!.headers).toHaveProperty('RateLimit-Policy');
  });

  it('leaves the source as it was', () => {
    const source = parseContract(shelterText);
    const before = JSON.stringify(source.document);
    buildModel(source);
    expect(JSON.stringify(source.document)).toBe(before);
  });

  it('changes no more when it is completed again', () => {
    const { document } = shelter();
    const again = modelOf(buildModel(parseContract(JSON.stringify(document))));
    expect(again.document).toEqual(document);
  });
});

describe('the error catalogue', () => {
  const own = {
    ...Object.fromEntries(Object.values(standardErrors).map(({ code, ...words }) => [code, words])),
    NOT_FOUND: { status: 410, title: 'Gone', description: 'It is gone.', retryable: false },
    CAT_ASLEEP: { status: 423, title: 'Cat asleep', description: 'Let it lie.', retryable: true },
  };
  const schema = { type: 'string', enum: Object.keys(own), 'x-error-codes': own };

  it('is what the contract says, its own codes and words included', () => {
    const { errors, document } = shelter(
      ['    CatStatus:\n', `    ErrorCode: ${JSON.stringify(schema)}\n    CatStatus:\n`],
      [
        "'404': { description: No such cat., x-error-codes: [NOT_FOUND] }",
        "'423': { description: Hush., x-error-codes: [CAT_ASLEEP] }",
      ],
    );
    expect(errors['CAT_ASLEEP']).toEqual({ code: 'CAT_ASLEEP', ...own.CAT_ASLEEP });
    expect(response(document, '/cats/{catId}', 'patch', 423)['x-error-codes']).toEqual(['CAT_ASLEEP']);
    expect(response(document, '/cats/{catId}', 'patch', 410)['x-error-codes']).toEqual(['NOT_FOUND']);
  });
});

describe('an ordinary OpenAPI document', () => {
  const modelled = buildModel(readSingleFile(join(fixtures, 'valid/ordinary')));
  const model = modelOf(modelled);

  it('gets warnings only, and every operation is custom', () => {
    expect(modelled.findings.map(({ severity }) => severity)).not.toContain('error');
    expect(modelled.findings.length).toBeGreaterThan(5);
    expect(model.resources).toEqual([]);
    expect(model.operations.filter((one) => one.default !== undefined)).toEqual([]);
  });

  it('gets names where it has none', () => {
    expect(model.operations.map(({ operationId }) => operationId)).toEqual([
      'getPets',
      'showPet',
      'show_pet_again',
      'petOwner',
    ]);
    expect(model.document.paths['/pets']!.get!.operationId).toBe('getPets');
  });

  it('keeps its own schemas of errors beside those of the server', () => {
    const { schemas } = model.document.components!;
    expect(schemas).toHaveProperty('Problem.properties.message');
    expect(schemas).toHaveProperty('ServerProblem.properties.code.$ref', '#/components/schemas/ServerErrorCode');
    expect(Object.keys(response(model.document, '/pets/{petId}', 'get', 404).content!)).toEqual([
      'application/json',
      'application/problem+json',
    ]);
  });
});
