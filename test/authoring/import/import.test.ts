import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { administer } from '../../../src/tools/postgres-database.ts';
import { runHere } from '../../support/command.ts';
import { filledFolders, textsIn, withFolder } from '../../support/folder.ts';
import { ownedDatabase } from '../../support/owned-database.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';
import { type Document, databaseOf, documentIn, findingsIn, importInto, type Schema } from './support.ts';

/** Schemas in the manner of those that docs/adopting.md is for. */
const DATABASES = ['rentals', 'traders', 'oddities'] as const;

interface Result {
  readonly resources: readonly { readonly name: string; readonly path: string; readonly table: string }[];
  readonly leftOut: readonly { readonly what: string; readonly why: string }[];
  readonly questions: readonly string[];
}

/** Contracts of the databases, each imported once. */
const urls = new Map<string, string>();
const results = new Map<string, Result>();
const folderOf = filledFolders(async (folder, name) => {
  const { code, stdout, stderr } = await importInto(folder, urls.get(name)!, '--json');
  expect(code, stderr).toBe(0);
  results.set(name, JSON.parse(stdout) as Result);
});

const documentOf = async (name: string): Promise<Document> => documentIn(await folderOf(name));
const schemaOf = async (name: string, type: string): Promise<Schema> =>
  (await documentOf(name)).components.schemas[type]!;
async function resultOf(name: string): Promise<Result> {
  await folderOf(name);
  return results.get(name)!;
}
const whyOf = async (name: string, what: string): Promise<string | undefined> =>
  (await resultOf(name)).leftOut.find((one) => one.what === what)?.why;

describe.runIf(hasPostgres)('a contract of a database', () => {
  beforeAll(async () => {
    for (const name of DATABASES) urls.set(name, await databaseOf(`${name}.sql`));
  });

  it.each(DATABASES)('has no finding: %s', async (name) => {
    const folder = await folderOf(name);
    expect(await findingsIn(folder)).toEqual([]);
    const contract = ['--contracts', folder, '--out', join(folder, 'generated')];
    await runHere('scripts/generate.ts', contract);
    const { code, stdout } = await runHere('scripts/contract.ts', [...contract, '--only', 'lint,contract,drift']);
    expect({ code, found: /warning|error/.exec(stdout)?.[0] }, stdout).toEqual({ code: 0, found: undefined });
  });

  it.each(DATABASES)('lacks nothing that sync would add: %s', async (name) => {
    const folder = await folderOf(name);
    const before = await textsIn(folder);
    const { code, stderr } = await runHere('scripts/sync.ts', [
      '--contracts',
      folder,
      '--out',
      join(folder, 'generated'),
    ]);
    expect(code, stderr).toBe(0);
    expect(await textsIn(folder)).toEqual(before);
  });

  it('gets the other half of what it is given later by sync', async () => {
    await withFolder({}, async (folder) => {
      await importInto(folder, urls.get('traders')!);
      const path = join(folder, 'schema.graphql');
      const document = join(folder, 'openapi.yaml');
      const action = {
        operationId: 'deleteCategory',
        summary: 'Delete a category',
        tags: ['Categories'],
        description: 'For good.',
      };
      const responses = { 204: { description: 'It is gone.' } };
      const text = parseDocument(await readFile(document, 'utf8'));
      text.setIn(['paths', '/categories/{categoryId}', 'delete'], {
        ...action,
        security: [{ bearer: ['categories:write'] }],
        responses,
      });
      await writeFile(document, text.toString({ lineWidth: 0 }));
      expect(
        await runHere('scripts/sync.ts', ['--contracts', folder, '--out', join(folder, 'generated')]),
      ).toMatchObject({ code: 0 });
      expect(await readFile(path, 'utf8')).toMatch(/^ {2}deleteCategory\(/m);
      expect(await findingsIn(folder)).toEqual([]);
    });
  });

  it('is one document and one SDL', async () => {
    await withFolder({}, async (folder) => {
      await importInto(folder, urls.get('traders')!);
      expect(Object.keys(await textsIn(folder))).toEqual(['openapi.yaml', 'schema.graphql']);
    });
  });

  it('names resources in the plural, by their schema if two schemas have the name', async () => {
    const { resources } = await resultOf('traders');
    expect(Object.fromEntries(resources.map(({ name, path, table }) => [table, `${path} ${name}`]))).toMatchObject({
      'trade."Order Lines"': '/order-lines OrderLine',
      'trade.categories': '/categories Category',
      'trade.customers': '/trade-customers TradeCustomer',
      'archive.customers': '/archive-customers ArchiveCustomer',
    });
    const odd = (await resultOf('oddities')).resources;
    const pathOf = (table: string) => odd.find((one) => one.table === table)?.path;
    expect(pathOf('public.orders')).toBe('/orders');
    expect(pathOf('public."Orders"')).toBe('/public-orders');
    expect(pathOf('public.order')).toBe('/public-2-orders');
    expect(pathOf('public.query')).toBe('/public-queries');
    expect(pathOf('public.delete_requests')).toBe('/public-delete-requests');
    expect(pathOf('public."1st_things"')).toBe('/n1st-things');
    expect(pathOf('public."Ünïcode"')).toBe('/unicodes');
    expect(new Set(odd.map(({ path }) => path)).size).toBe(odd.length);
    expect(new Set(odd.map(({ name }) => name)).size).toBe(odd.length);
  });

  it.each([
    ['rentals', 'Film', 'id', { type: 'integer', format: 'int32', 'x-column': 'film_id' }],
    ['rentals', 'Film', 'version', { type: 'string' }],
    ['rentals', 'Film', 'title', { type: 'string', maxLength: 255 }],
    ['rentals', 'Film', 'releaseYear', { type: ['integer', 'null'], format: 'int32', minimum: 1901, maximum: 2155 }],
    ['rentals', 'Film', 'rentalDuration', { type: 'integer', format: 'int32', minimum: 1 }],
    ['rentals', 'Film', 'rentalRate', { type: 'string', format: 'decimal' }],
    ['rentals', 'Film', 'length', { description: 'Minutes.', type: ['integer', 'null'], format: 'int32' }],
    ['rentals', 'Film', 'rating', { oneOf: [{ $ref: '#/components/schemas/Rating' }, { type: 'null' }] }],
    ['rentals', 'Film', 'specialFeatures', { type: ['array', 'null'], items: { type: ['string', 'null'] } }],
    ['rentals', 'Film', 'createdAt', { type: 'string', format: 'date-time' }],
    ['rentals', 'Language', 'name', { type: 'string', maxLength: 20 }],
    ['rentals', 'Category', 'name', { type: 'string', maxLength: 25, 'x-unique': true }],
    ['rentals', 'Customer', 'createDate', { type: 'string', format: 'date' }],
    ['rentals', 'Inventory', 'id', { type: 'string', format: 'int64', 'x-column': 'inventory_id' }],
    ['rentals', 'CustomerList', 'id', { type: 'integer', format: 'int32' }],
    [
      'rentals',
      'Film',
      'languageId',
      { type: 'integer', format: 'int32', 'x-references': 'Language', 'x-on-delete': 'restrict' },
    ],
    [
      'rentals',
      'Film',
      'originalLanguageId',
      { type: ['integer', 'null'], format: 'int32', 'x-references': 'Language', 'x-on-delete': 'set-null' },
    ],
    [
      'rentals',
      'Store',
      'managerStaffId',
      { type: 'integer', format: 'int32', 'x-references': 'StaffItem', 'x-on-delete': 'restrict', 'x-unique': true },
    ],
    ['traders', 'TradeCustomer', 'id', { type: 'string', maxLength: 5, 'x-column': 'customer_id' }],
    ['traders', 'TradeCustomer', 'companyName', { type: 'string', minLength: 2, maxLength: 40 }],
    ['traders', 'TradeCustomer', 'tradeCustomerVersion', { type: 'integer', format: 'int32', 'x-column': 'version' }],
    ['traders', 'OrderLine', 'id', { type: 'string', maxLength: 255, 'x-column': ['shop_code', 'number', 'Line No'] }],
    [
      'traders',
      'OrderLine',
      'orderId',
      {
        type: 'string',
        maxLength: 255,
        'x-references': 'Order',
        'x-on-delete': 'cascade',
        'x-column': ['shop_code', 'number'],
      },
    ],
    ['traders', 'OrderLine', 'lineNo', { type: 'integer', format: 'int32', 'x-column': 'Line No' }],
    ['traders', 'OrderLine', 'quantity', { type: 'integer', format: 'int32', minimum: 1, maximum: 999 }],
    [
      'traders',
      'Order',
      'orderDate',
      { type: ['string', 'null'], format: 'date-time-local', 'x-column': 'order Date' },
    ],
    ['traders', 'Product', 'unitPrice', { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 10000.5 }],
    ['traders', 'Product', 'size', { oneOf: [{ $ref: '#/components/schemas/ProductSize' }, { type: 'null' }] }],
    ['traders', 'Product', 'priority', { $ref: '#/components/schemas/ProductPriority' }],
    ['traders', 'Product', 'stars', { type: ['integer', 'null'], format: 'int32', minimum: 1, maximum: 5 }],
    ['traders', 'Product', 'code', { type: ['string', 'null'], pattern: '^P-' }],
    ['traders', 'Product', 'weird', { type: ['string', 'null'] }],
    [
      'traders',
      'Employee',
      'reportsToId',
      {
        type: ['integer', 'null'],
        format: 'int32',
        'x-references': 'Employee',
        'x-on-delete': 'restrict',
        'x-column': 'reports_to',
      },
    ],
    [
      'traders',
      'EmployeePhoto',
      'employeeId',
      { type: 'integer', format: 'int32', 'x-references': 'Employee', 'x-on-delete': 'cascade' },
    ],
    ['oddities', 'Kind', 'aDomain', { type: 'string', minLength: 1, maxLength: 30 }],
    ['oddities', 'Kind', 'anEmail', { type: ['string', 'null'] }],
    ['oddities', 'Kind', 'aMood', { type: 'string' }],
    [
      'oddities',
      'Kind',
      'sizes',
      { type: 'array', items: { oneOf: [{ $ref: '#/components/schemas/Size' }, { type: 'null' }] } },
    ],
    ['oddities', 'Kind', 'shortTexts', { type: ['array', 'null'], items: { type: ['string', 'null'] } }],
    ['oddities', 'Kind', 'aJsonb', { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }],
    ['oddities', 'Kind', 'anInterval', { type: ['string', 'null'] }],
    ['oddities', 'Kind', 'stars', { type: ['integer', 'null'], format: 'int32', minimum: 1, maximum: 4 }],
    ['oddities', 'Kind', 'not', { type: ['string', 'null'] }],
    ['oddities', 'Kind', 'aCidr', { type: ['string', 'null'] }],
    ['oddities', 'Kind', 'aJson', { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }],
    ['oddities', 'Kind', 'impossible', { type: ['string', 'null'], minLength: 11 }],
    ['oddities', 'Kind', 'unvalidated', { type: ['string', 'null'] }],
    ['oddities', 'Kind', 'aDouble', { type: ['number', 'null'], exclusiveMaximum: 1.5 }],
    ['oddities', 'Kind', 'aFloat', { type: ['number', 'null'] }],
    ['oddities', 'Project', 'projectId', { type: 'integer', format: 'int32', 'x-column': 'id' }],
    ['oddities', 'Task', 'project', undefined],
    ['oddities', 'Task', 'taskProject', { type: ['string', 'null'], 'x-column': 'project' }],
  ])('%s: %s.%s', async (name, type, property, expected) => {
    expect((await schemaOf(name, type)).properties[property]).toEqual(expected);
  });

  it('has the exact names of tables and columns, and describes what has comments', async () => {
    const schema = await schemaOf('oddities', 'AQuotedTable');
    expect(schema['x-table']).toEqual({ schema: 'Odd Schema.x', name: 'A "quoted". Table' });
    expect(schema['description']).toBe('Says """triple""" and\nmore: \\ # {x} `y`');
    const columns = Object.values(schema.properties).flatMap((one) => one['x-column'] ?? []);
    expect(columns.sort()).toEqual(
      [
        '%',
        '2fa',
        'First.Name',
        'Id',
        '__proto__',
        'constructor',
        'created_at',
        'first name',
        'first_name',
        'größe',
        'id',
        'updated_by',
        'version',
        '日本',
      ].sort(),
    );
    expect(schema.properties).toHaveProperty('aQuotedTableVersion');
    expect(schema.properties).toHaveProperty('grosse');
    expect(schema.properties).toHaveProperty('aQuotedTableId');
  });

  it('is closed: get and list alone, for callers with the scope of the collection', async () => {
    const { paths } = await documentOf('traders');
    for (const [path, item] of Object.entries(paths))
      expect(
        Object.keys(item).filter((key) => key !== 'parameters'),
        path,
      ).toEqual(['get']);
    expect(paths['/products']?.get['security']).toEqual([{ bearer: ['products:read'] }]);
    expect(paths['/products/{productId}']?.get['security']).toEqual([{ bearer: ['products:read'] }]);
    expect(paths['/employees/{employeeId}/territories']?.get['security']).toEqual([
      { bearer: ['employees:read', 'employee-territories:read', 'territories:read'] },
    ]);
  });

  it('filters by references and others that plain indexes begin with, and sorts by such columns that are never null', async () => {
    const { paths } = await documentOf('oddities');
    const parametersOf = (path: string): readonly unknown[] =>
      paths[path]!.get.parameters.flatMap(({ name, schema }) =>
        name === 'sort' ? [(schema as { items: { enum: unknown } }).items.enum] : (name ?? []),
      );
    expect(parametersOf('/kinds')).toEqual(['aCitext', 'aMood', 'aSize', 'aTime', 'aNumeric', ['aMood', '-aMood']]);
    expect(parametersOf('/a-quoted-tables')).toEqual(['firstName', ['firstName', '-firstName', 'limit', '-limit']]);
    const { get } = (await documentOf('rentals')).paths['/rentals']!;
    expect(get.parameters.find(({ name }) => name === 'rentalDate')).toMatchObject({
      style: 'deepObject',
      schema: { properties: { gte: {}, lt: {} } },
    });
    expect(get.parameters.flatMap(({ name }) => name ?? [])).toEqual(['rentalDate', 'sort']);
    const lines = (await documentOf('traders')).paths['/order-lines']!.get.parameters;
    expect(lines.flatMap(({ name }) => name ?? [])).toContain('orderId');
  });

  it('lists through join tables both ways', async () => {
    const { paths } = await documentOf('traders');
    expect(paths['/employees/{employeeId}/territories']?.get['x-through']).toBe('EmployeeTerritory');
    expect(paths['/territories/{territoryId}/employees']?.get['x-through']).toBe('EmployeeTerritory');
    expect(paths['/employees/{employeeId}/friends']?.get['x-through']).toEqual({
      resource: 'Friend',
      from: 'employeeId',
      to: 'friendId',
    });
    const own = (await documentOf('rentals')).paths;
    expect(own['/films/{filmId}/actors']?.get.parameters).toEqual(own['/actors']?.get.parameters);
    // An order line refers to an order by a part of its key only.
    expect(paths['/orders/{orderId}/products']).toBe(undefined);
  });

  it('has the keys that are unique together', async () => {
    expect((await schemaOf('traders', 'OrderLine'))['x-unique']).toEqual([['orderId', 'productId']]);
    expect((await schemaOf('oddities', 'Wide'))['x-unique']).toEqual([['a', 'b']]);
    expect((await schemaOf('rentals', 'Rental'))['x-unique']).toEqual([['rentalDate', 'inventoryId', 'customerId']]);
  });

  it('has views whose other tables are joined by their keys', async () => {
    const tables = async (name: string) => (await resultOf(name)).resources.map(({ table }) => table);
    expect(await tables('traders')).toEqual(expect.arrayContaining(['trade.order_totals', 'trade.late_orders']));
    expect((await schemaOf('traders', 'LateOrder')).properties['id']).toMatchObject({
      'x-column': ['shop_code', 'number'],
    });
    expect(await tables('rentals')).toEqual(expect.arrayContaining(['public.actor_credits', 'public.customer_list']));
    expect((await schemaOf('rentals', 'ActorCredit')).properties['id']).toMatchObject({
      'x-column': ['actor_id', 'film_id'],
    });
    const odd = await tables('oddities');
    expect(odd.filter((one) => one.endsWith('_view')).sort()).toEqual(
      ['plain_view', 'right_view', 'secret_view', 'tenants_view', 'where_view']
        .map((one) => `public.${one}`)
        .filter((one) => odd.includes(one)),
    );
    for (const view of ['cross', 'distinct', 'union', 'sub', 'full'])
      expect(await whyOf('oddities', `public.${view}_view`), view).toContain('--key');
    expect(await whyOf('oddities', 'public.exploded')).toContain('--key');
    expect(await whyOf('rentals', 'public.film_list')).toContain('--key');
  });

  it.each([
    ['public.no_key', 'No primary key'],
    ['public.uniquely', 'No primary key'],
    ['public.guarded', 'Row-level security'],
    ['public.guarded_rows', '--key'],
    ['public.past_guarded', '--key'],
    ['public.schema_migrations', 'another tool'],
    ['public.flyway_schema_history', 'another tool'],
    ['public._prisma_migrations', 'another tool'],
    ['public.knex_migrations', 'another tool'],
    ['public.lockstep_things', 'another tool'],
    ['hdb_catalog.hdb_metadata', 'another tool'],
    ['public.events_2026', 'partition'],
    ['public.base', 'inherit'],
    ['public.remote', 'foreign table'],
    ['public.totals', '--key'],
    ['public.blobs', 'bytea'],
    ['public.by_day', 'An id is'.toLowerCase()],
    ['public.sessions', 'looks like a secret'],
    ['public.secrets_of_users.api_key', 'secret'],
    ['public.secrets_of_users."passwordHash"', 'secret'],
    ['public.secrets_of_users.reset_token', 'secret'],
    ['public.secrets_of_users.salt', 'secret'],
    ['public.secret_view.api_key', 'secret'],
    ['public.kinds.a_blob', 'bytea'],
    ['public.kinds.a_vector', 'tsvector'],
    ['public.kinds.a_range', 'int4range'],
    ['public.kinds.a_point', 'point3'],
    ['public.kinds.an_empty', 'empty_enum'],
    ['public.kinds.matrix', 'several dimensions'],
    ['the values of public.kinds.a_mood', 'alike'],
    ['public.kinds.kinds_a_numeric_check', 'cannot express'],
    ['check email_address_check of public.kinds.an_email', 'cannot express'],
    ['public.tasks.tasks_guard_fkey', 'does not have'],
    ['public.tasks.tasks_lead_fkey', 'SET DEFAULT'],
    ['public.refers_code.refers_code_code_fkey', 'primary key'],
  ])('leaves out %s: %s', async (what, why) => {
    expect(await whyOf('oddities', what)).toContain(why);
  });

  it('reads what a partitioned, an inheriting, an unlogged and an excluding table have', async () => {
    const tables = (await resultOf('oddities')).resources.map(({ table }) => table);
    for (const name of ['events', 'derived', 'scratch', 'booked']) expect(tables).toContain(`public.${name}`);
    // Postgres keeps a key to each partition as well.
    const { leftOut } = await resultOf('oddities');
    expect(leftOut.filter(({ what }) => what.startsWith('public.event_notes'))).toEqual([]);
    expect((await schemaOf('oddities', 'EventNote')).properties['eventId']).toMatchObject({ 'x-references': 'Event' });
  });

  it('asks last what only people can answer', async () => {
    const { questions } = await resultOf('traders');
    expect(questions).toHaveLength(4);
    expect(questions[3]).toContain('`Product.categoryId`');
    expect(questions[0]).toContain('`archive-customers:read`');
    expect(questions[1]).toContain('`x-column: { name: "order Date", zone: UTC }`');
    expect(questions[2]).toContain('trade.employees.lock_version');
    await withFolder({}, async (folder) => {
      const { stdout } = await importInto(folder, urls.get('traders')!);
      expect(stdout.indexOf('To be decided by you')).toBeGreaterThan(stdout.indexOf('Left out'));
      expect(stdout.indexOf('Left out')).toBeGreaterThan(stdout.indexOf('Resources'));
    });
  });

  it('has the tables that are named, and views by the keys that are given', async () => {
    await withFolder({}, async (folder) => {
      const options = ['--only', 'trade.*', '--except', '*order*,trade.emp*', '--except', 'trade."Nothing"'];
      expect((await importInto(folder, urls.get('traders')!, ...options)).stderr).toContain('no such table or view');
      const kept = [...options.slice(0, 4), '--key', 'product_counts=category_id', '--json'];
      const { stdout, stderr } = await importInto(folder, urls.get('traders')!, ...kept);
      const { resources } = JSON.parse(stdout || stderr) as Result;
      expect(resources.map(({ name }) => name).sort()).toEqual(
        ['Category', 'Customer', 'Friend', 'OrderLine', 'Order', 'Product', 'ProductCount', 'Shop', 'Territory'].sort(),
      );
      expect(await findingsIn(folder)).toEqual([]);
      // What it refers to is not part of the contract.
      expect((await documentIn(folder)).components.schemas['Friend']!.properties['employeeId']).toEqual({
        type: 'integer',
        format: 'int32',
      });
    });
  });

  it('adds missing tables to a contract, and edits nothing else', async () => {
    await withFolder({}, async (folder) => {
      const url = urls.get('rentals')!;
      await importInto(folder, url, '--only', 'film,language,store');
      const edited = (await readFile(join(folder, 'openapi.yaml'), 'utf8'))
        .replace('maxLength: 255', 'maxLength: 200 # shorter')
        .replace('films:read', 'films:look');
      const sdl = (await readFile(join(folder, 'schema.graphql'), 'utf8')).replaceAll('films:read', 'films:look');
      await writeFile(join(folder, 'openapi.yaml'), edited.replaceAll('films:read', 'films:look'));
      await writeFile(join(folder, 'schema.graphql'), sdl);
      const before = await textsIn(folder);
      const { code, stdout, stderr } = await importInto(folder, url, '--json');
      expect(code, stderr).toBe(0);
      const added = (JSON.parse(stdout) as Result).resources.map(({ table }) => table);
      expect(added).toContain('public.film_actor');
      expect(added).not.toContain('public.film');
      const after = await textsIn(folder);
      for (const [path, text] of Object.entries(before)) expect(isSubsequence(text, after[path]!), path).toBe(true);
      expect((await documentIn(folder)).paths['/films/{filmId}/actors']?.get['x-through']).toBe('FilmActor');
      expect((await findingsIn(folder)).filter((one) => !one.startsWith('parity-way'))).toEqual([]);
      const again = await importInto(folder, url);
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('every table') });
      expect(await textsIn(folder)).toEqual(after);
    });
  });

  it('does not write into the database, and needs no right but to read', async () => {
    const { admin, role, url } = await ownedDatabase();
    await administer(
      admin,
      `create table open (id integer primary key, hidden text, name text); create table shut (id integer primary key);
      grant select (id, name) on open to ${role}`,
    );
    await withFolder({}, async (folder) => {
      const { stdout, stderr } = await importInto(folder, url, '--json');
      const { resources, leftOut } = JSON.parse(stdout || `"${stderr}"`) as Result;
      expect(resources.map(({ table }) => table)).toEqual(['public.open']);
      expect(leftOut).toEqual([
        { what: 'public.open.hidden', why: 'The role of the URL may not select it.' },
        { what: 'public.shut', why: 'The role of the URL may not select it.' },
      ]);
      await administer(admin, `revoke select (id, name) on open from ${role}`);
    });
    await withFolder({}, async (folder) => {
      expect(await importInto(folder, url)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('nothing to import'),
      });
      expect(await textsIn(folder)).toEqual({});
    });
  });

  it.each([
    [['--only', 'nothing'], 1, '--only nothing: the database has no such table or view.'],
    [['--key', 'nothing=id'], 1, 'the database has no view nothing'],
    [['--key', 'product_counts=nothing'], 1, 'product_counts has no column nothing'],
    [['--key', 'product_counts'], 1, 'write VIEW=COLUMN'],
  ] as const)('refuses %j', async (options, code, message) => {
    await withFolder({}, async (folder) => {
      const found = await importInto(folder, urls.get('traders')!, ...options);
      expect(found).toMatchObject({ code, stderr: expect.stringContaining(message) });
      expect(await textsIn(folder)).toEqual({});
    });
  });

  it('refuses a folder with other files, and a contract with errors', async () => {
    await withFolder({ 'notes.txt': 'mine' }, async (folder) => {
      const { code, stderr } = await importInto(folder, urls.get('traders')!);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('has other files (`notes.txt`)') });
    });
    await withFolder({ 'openapi.yaml': 'openapi: 3.1.0\npaths: [\n' }, async (folder) => {
      const before = await textsIn(folder);
      expect(await importInto(folder, urls.get('traders')!)).toMatchObject({ code: 1 });
      expect(await textsIn(folder)).toEqual(before);
    });
  });

  it('names a database that does not exist, and a server that does not answer', async () => {
    const missing = SERVER.replace(/[^/]*$/, 'nothing_here');
    await withFolder({}, async (folder) => {
      const found = await importInto(folder, missing);
      expect(found).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('database "nothing_here" does not exist'),
      });
      const silent = await importInto(folder, 'postgres://a:secret@127.0.0.1:1/b');
      expect(silent).toMatchObject({ code: 1, stderr: expect.stringContaining('127.0.0.1') });
      expect(silent.stderr).not.toMatch(/secret|\n {4}at /);
      expect(await importInto(folder, 'mysql://a/b')).toMatchObject({ code: 2 });
    });
  });
});

/** Whether the lines of a text are all in another, in their order. */
function isSubsequence(text: string, whole: string): boolean {
  const lines = whole.split('\n');
  let at = 0;
  return text.split('\n').every((line) => {
    at = lines.indexOf(line, at) + 1;
    return at > 0;
  });
}
