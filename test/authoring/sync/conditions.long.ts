import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  await cp(join(FIXTURES, 'tracker'), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

interface Tree {
  [key: string]: Tree;
}

const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

const document = async (): Promise<Tree> => parse(await text('openapi.yaml'));

async function changeDocument(change: (document: Tree) => void): Promise<void> {
  const tree = await document();
  change(tree);
  await writeFile(join(folder, 'openapi.yaml'), stringify(tree, { aliasDuplicateObjects: false }));
}

async function synchronised(): Promise<readonly string[]> {
  const files = await ContractFiles.open(folder);
  const { findings } = await synchronise(files, { contracts: folder });
  expect(findings).toEqual([]);
  const changed = files.changes.map(({ path }) => path);
  await files.save();
  return changed;
}

const errors = async () => (await modelContract(folder)).findings.filter(({ severity }) => severity === 'error');

const isCondition = (name: string): boolean => /Filter$|Range$/.test(name);

/** A document without filters that combine conditions, and without counts. */
function without({ paths, components }: Tree, parametersOfLists: readonly string[]): void {
  const schemas = components!['schemas']!;
  for (const name of Object.keys(schemas).filter(isCondition)) delete schemas[name];
  const { totalCount, totalCountIsExact, ...cursors } = schemas['Page']!['properties']!;
  schemas['Page']!['properties'] = cursors;
  for (const { get } of Object.values(paths!)) {
    const parameters = get?.['parameters'] as unknown as { readonly name: string }[] | undefined;
    const kept = parameters?.filter(({ name }) => !parametersOfLists.includes(name));
    if (kept) get!['parameters'] = kept as unknown as Tree;
  }
}

/** How an SDL that says whether counts are exact counts. */
const COUNTS = {
  totalCount: { type: 'integer', minimum: 0, maximum: 10_000 },
  totalCountIsExact: { type: 'boolean' },
};

describe('filters that combine conditions, and counts up to a bound, of an SDL', () => {
  it('reach a document that lacks them, and are derived once', async () => {
    await changeDocument((tree) => without(tree, ['filter', 'count']));
    expect((await errors()).length).toBeGreaterThan(0);
    const sdl = await text('schema.graphql');
    expect(await synchronised()).toEqual(['openapi.yaml']);
    expect(await errors()).toEqual([]);
    expect(await text('schema.graphql')).toBe(sdl);
    const { paths, components } = await document();
    expect(paths!['/issues']!['get']!['parameters']).toContainEqual({
      name: 'filter',
      in: 'query',
      description: 'Conditions that the entries meet, as JSON.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/IssueFilter' } } },
    });
    expect(components!['schemas']).toMatchObject({
      IssueFilter: {
        type: 'object',
        additionalProperties: false,
        properties: {
          or: { type: 'array', maxItems: 10, items: { $ref: '#/components/schemas/IssueFilter' } },
          not: { $ref: '#/components/schemas/IssueFilter' },
          projectId: { type: 'string', format: 'uuid' },
          status: { type: 'array', maxItems: 3, items: { $ref: '#/components/schemas/IssueStatus' } },
          project: { $ref: '#/components/schemas/ProjectFilter' },
          comments: { $ref: '#/components/schemas/CommentListFilter' },
        },
      },
      CommentListFilter: {
        properties: {
          some: { $ref: '#/components/schemas/CommentFilter' },
          none: { $ref: '#/components/schemas/CommentFilter' },
        },
      },
      PriorityRangeInput: {
        properties: { gte: { type: 'integer', minimum: 1, maximum: 5 }, lte: { type: 'integer' } },
      },
      Page: { properties: COUNTS },
    });
    expect(await synchronised()).toEqual([]);
  });

  it('add to the schemas that a document has, and no parameters beside its filter', async () => {
    await changeDocument(({ components }) => {
      delete components!['schemas']!['IssueFilter']!['properties']!['not'];
      delete components!['schemas']!['PriorityRange']!['properties']!['lte'];
      const { properties } = components!['schemas']!['Page']!;
      delete properties!['totalCountIsExact'];
      delete properties!['totalCount']!['maximum'];
    });
    const before = (await document())['paths'];
    await synchronised();
    expect(await errors()).toEqual([]);
    const { paths, components } = await document();
    expect(paths).toEqual(before);
    expect(components!['schemas']).toMatchObject({
      IssueFilter: { properties: { not: { $ref: '#/components/schemas/IssueFilter' } } },
      PriorityRange: { properties: { lte: { type: 'integer', minimum: 1, maximum: 5 } } },
      Page: { properties: COUNTS },
    });
  });

  it('take in what parameters of the same list filter by', async () => {
    const taken: Record<string, readonly string[]> = {
      IssueFilter: ['status', 'priority'],
      ProjectFilter: ['teamId', 'visibility'],
    };
    await changeDocument(({ components }) => {
      for (const [filter, names] of Object.entries(taken))
        for (const name of names) delete components!['schemas']![filter]!['properties']![name];
    });
    await rm(join(folder, 'schema.graphql'));
    await synchronised();
    expect(await errors()).toEqual([]);
    const { paths, components } = await document();
    for (const [filter, path] of [
      ['IssueFilter', '/issues'],
      ['ProjectFilter', '/projects'],
    ] as const) {
      const parameters = paths![path]!['get']!['parameters'] as unknown as { readonly name: string; schema: Tree }[];
      const properties = components!['schemas']![filter]!['properties']!;
      for (const name of taken[filter]!)
        expect(properties[name]).toEqual(parameters.find((one) => one.name === name)!.schema);
    }
    expect(await synchronised()).toEqual([]);
  });

  it('go to rows that refer to one by the name that the reference gets, and compare with null and several values', async () => {
    await cp(join(FIXTURES, 'depot'), folder, { recursive: true });
    await writeFile(join(folder, 'schema.graphql'), withSupplierFilter(await text('schema.graphql')));
    await synchronised();
    expect(await errors()).toEqual([]);
    const schemas = (await document())['components']!['schemas']!;
    expect(schemas['Product']!['properties']!['supplierId']).toMatchObject({ 'x-inverse': 'products' });
    expect(schemas).toMatchObject({
      SupplierFilter: { properties: { products: { $ref: '#/components/schemas/ProductListFilter' } } },
      ProductFilter: { properties: { price: { $ref: '#/components/schemas/PriceFilter' } } },
      PriceFilter: {
        type: 'object',
        additionalProperties: false,
        properties: { in: { type: 'array', maxItems: 20, items: { type: 'integer' } }, isNull: { type: 'boolean' } },
      },
    });
    expect(await synchronised()).toEqual([]);
  });
});

function withSupplierFilter(sdl: string): string {
  return sdl
    .replace('input ProductFilter {', 'input ProductFilter {\n  price: PriceFilter')
    .replace(/ {2}suppliers\(\n/, '$&    filter: SupplierFilter\n')
    .concat('input PriceFilter { in: [Int!], isNull: Boolean }\n')
    .concat('input SupplierFilter { products: ProductListFilter }\n')
    .concat('input ProductListFilter { some: ProductFilter, none: ProductFilter }\n');
}
