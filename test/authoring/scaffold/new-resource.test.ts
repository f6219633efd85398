import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addTo } from '../../../src/authoring/scaffold/addition.ts';
import { readField } from '../../../src/authoring/scaffold/field.ts';
import { fieldAddition } from '../../../src/authoring/scaffold/new-field.ts';
import { addResource } from '../../../src/authoring/scaffold/new-resource.ts';
import { nounOf } from '../../../src/authoring/scaffold/noun.ts';
import { readAddition } from '../../../src/authoring/scaffold/read-addition.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { Finding } from '../../../src/compiler/findings/finding.ts';
import { runGate } from '../../../src/compiler/gate/gate.ts';
import { databases } from '../../support/databases.ts';
import { textsIn } from '../../support/folder.ts';
import { withInvalidContract } from '../../support/invalid-contracts.ts';
import { startCompiled } from '../../support/service.ts';

const EVERY_TYPE = [
  'name:string!',
  'story:text',
  'count:integer!',
  'total:int64',
  'rating:number',
  'cost:decimal!',
  'active:boolean!',
  'since:date',
  'seenAt:date-time',
  'token:uuid',
  'contact:email!:unique',
  'site:uri',
  'code:string!:unique:immutable',
  'status:enum(ACTIVE,GONE)!',
  'grade:enum(A,B)',
  'product:ref(products)!',
  'owner:ref(users)',
];

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
});
afterEach(() => rm(folder, { recursive: true }));

const fields = (...words: string[]) => words.map(readField);
const everything = () => textsIn(folder);

/** The storefront has searches for texts of one character and a batch of long texts, and is warned of them. */
const isNew = ({ rule }: Finding): boolean => rule !== 'filter-search' && rule !== 'batch-size';

describe('a new resource', () => {
  it('of every type of field is in both contracts, which agree, and pass the gate', async () => {
    await cp('contracts', folder, { recursive: true });
    const outcome = await addResource(folder, nounOf('suppliers'), fields(...EVERY_TYPE));
    expect(outcome).toMatchObject({ kind: 'written', hasGraphql: true });
    const { model, findings, parity } = await modelContract(folder);
    expect(findings.filter(isNew)).toEqual([]);
    expect(parity.every(({ verdict }) => verdict === 'same')).toBe(true);
    const resource = model!.resources.find(({ key }) => key === 'suppliers')!;
    expect(Object.keys(resource.actions)).toHaveLength(6);
    expect(resource.unique).toEqual([['contact'], ['code']]);
    const references = resource.properties.flatMap(({ name, references: to }) =>
      to ? [[name, to.resource, to.onDelete]] : [],
    );
    expect(references).toEqual([
      ['productId', 'products', 'restrict'],
      ['ownerId', 'users', 'set-null'],
    ]);
    const [lint] = await runGate({ contracts: folder, out: folder, date: '2026-11-21' }, ['lint']);
    expect(lint!.findings).toEqual([]);
  });

  it('leaves every other line of the contract as it was', async () => {
    await cp('contracts', folder, { recursive: true });
    const before = await everything();
    await addResource(folder, nounOf('suppliers'), fields('name:string!'));
    const after = await everything();
    const changed = Object.keys(before).filter((path) => before[path] !== after[path]);
    expect(changed).toEqual(['openapi.yaml']);
    const [old, fresh] = [before, after].map((files) => files[changed[0]!]!.split('\n'));
    expect(old!.filter((line) => !fresh!.includes(line))).toEqual([]);
    expect(fresh!.length - old!.length).toBe(6);
  });

  it('is served by both protocols, with its rules', async () => {
    await cp('contracts', folder, { recursive: true });
    await addResource(
      folder,
      nounOf('line-items'),
      fields('name:string!', 'code:string!:unique', 'state:enum(OPEN,DONE)!'),
    );
    const { model } = await modelContract(folder);
    const service = await startCompiled(model!, databases[0]!, {}, { allowMissing: true });
    const as = { sub: 'me', scope: 'line-items:read line-items:write' };
    const body = { name: 'One', code: 'A', state: 'OPEN' };
    const { status, body: made } = await service.request('POST', '/v1/line-items', { as, body });
    expect([status, made.version]).toEqual([201, 1]);
    const { body: again } = await service.request('POST', '/v1/line-items', { as, body });
    expect(again.code).toBe('ALREADY_EXISTS');
    expect((await service.request('GET', '/v1/line-items?state=DONE', { as })).body.data).toEqual([]);
    expect((await service.request('GET', '/v1/line-items')).status).toBe(401);
    const { data } = await service.graphql('{ lineItems { nodes { name } } }', { as });
    expect(data.lineItems.nodes).toEqual([{ name: 'One' }]);
    await service.close();
  });

  it('two levels down has files that are named alike', async () => {
    await cp('contracts', folder, { recursive: true });
    await addResource(folder, nounOf('suppliers'), fields('name:string!'));
    await addResource(folder, nounOf('depots'), fields('name:string!'), { parent: 'suppliers' });
    await addResource(folder, nounOf('gates'), fields('name:string!'), { parent: 'suppliers/depots' });
    const added = Object.keys(await everything()).filter((path) => /paths\/.*gate/.test(path));
    expect(added).toEqual(['paths/supplier-depot-gate.yaml', 'paths/supplier-depot-gates.yaml']);
  });

  it('may come twice to a contract, and refer to the one before', async () => {
    await cp('contracts', folder, { recursive: true });
    await addResource(folder, nounOf('suppliers'), fields('name:string!', 'kind:enum(A,B)!'));
    await addResource(folder, nounOf('shipments'), fields('supplier:ref(suppliers)!', 'kind:enum(C,D)!'));
    const { findings, model } = await modelContract(folder);
    expect(findings.filter(isNew)).toEqual([]);
    expect(model!.graphql!.descriptor.fields['Shipment.supplier']).toMatchObject({
      kind: 'reference',
      resource: 'suppliers',
    });
  });

  it.each([
    ['a collection that is there', 'products', ['name:string!'], '/products already exists.'],
    ['a type that is there', 'addresses', ['name:string!'], 'Address already exists.'],
    ['a reference to nothing', 'suppliers', ['owner:ref(nobodies)'], 'nobodies: unknown collection'],
  ])('writes nothing for %s', async (_what, collection, words, message) => {
    await cp('contracts', folder, { recursive: true });
    const before = await everything();
    await expect(addResource(folder, nounOf(collection), fields(...words))).rejects.toThrow(message);
    expect(await everything()).toEqual(before);
  });

  it('has pages as long as the parameter says that all lists share, over both protocols', async () => {
    await cp('contracts', folder, { recursive: true });
    const path = join(folder, 'parameters', 'Limit.yaml');
    await writeFile(path, (await readFile(path, 'utf8')).replace('maximum: 100', 'maximum: 50'));
    for (const name of ['products', 'orders', 'reviews', 'users']) {
      const sdl = join(folder, 'graphql', `${name}.graphql`);
      await writeFile(
        sdl,
        (await readFile(sdl, 'utf8')).replaceAll(
          'assumedSize: 100, slicingArguments: ["first',
          'assumedSize: 50, slicingArguments: ["first',
        ),
      );
    }
    expect((await addResource(folder, nounOf('suppliers'), fields('name:string!'))).kind).toBe('written');
    const { model } = await modelContract(folder);
    expect(model!.resources.find(({ key }) => key === 'suppliers')!.list!.maximumLimit).toBe(50);
    expect(await readFile(join(folder, 'graphql', 'suppliers.graphql'), 'utf8')).toContain('assumedSize: 50');
  });

  it('below another is served under its path, and goes with its parent', async () => {
    await cp('test/fixtures/library', folder, { recursive: true });
    const outcome = await addResource(folder, nounOf('chapters'), fields('title:string!', 'editor:ref(authors)'), {
      parent: 'books',
    });
    expect(outcome.kind).toBe('written');
    const { model, findings } = await modelContract(folder);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(model!.resources.find(({ key }) => key === 'books.chapters')).toMatchObject({
      path: '/books/{bookId}/chapters',
      parent: { resource: 'books', property: 'bookId' },
    });
    expect(model!.graphql!.descriptor.fields['Book.chapters']).toMatchObject({ kind: 'connection' });
  });

  it('below another is named after it, so that two parents have a collection of one name', async () => {
    await cp('test/fixtures/library', folder, { recursive: true });
    for (const parent of ['authors', 'loans', 'books'])
      expect((await addResource(folder, nounOf('labels'), fields('text:string!'), { parent })).kind).toBe('written');
    await addResource(folder, nounOf('bookings'), fields('on:date!', 'next:ref(books/bookings)'), { parent: 'books' });
    await addResource(folder, nounOf('book-marks'), fields('page:integer!'), { parent: 'books' });
    const { model } = await modelContract(folder);
    const names = model!.resources.map(({ key, name, idParameter }) => [key, name, idParameter]);
    expect(names).toEqual(
      expect.arrayContaining([
        ['authors.labels', 'AuthorLabel', 'labelId'],
        ['loans.labels', 'LoanLabel', 'labelId'],
        ['books.labels', 'BookLabel', 'labelId'],
        ['books.bookings', 'BookBooking', 'bookingId'],
        ['books.bookMarks', 'BookMark', 'bookMarkId'],
        ['books.copies', 'Copy', 'copyId'],
      ]),
    );
    expect(model!.resources.find(({ key }) => key === 'books.labels')!.actions.list).toMatchObject({
      operationId: 'listBookLabels',
    });
    expect(model!.graphql!.descriptor.fields).toHaveProperty(['Author.labels']);
  });

  it('of immutable fields alone is created and deleted, and takes other fields later', async () => {
    await cp('test/fixtures/library', folder, { recursive: true });
    const joined = fields('author:ref(authors)!:immutable', 'book:ref(books)!:immutable');
    expect(await addResource(folder, nounOf('credits'), joined)).toMatchObject({ kind: 'written' });
    const { model } = await modelContract(folder);
    const { actions } = model!.resources.find(({ key }) => key === 'credits')!;
    expect(Object.keys(actions)).toEqual(['list', 'get', 'create', 'delete']);
    expect(model!.graphql!.descriptor.types).not.toHaveProperty('CreditPatch');
    expect(await addTo(folder, fieldAddition('credits', fields('note:text')))).toMatchObject({ kind: 'written' });
  });

  it.each([
    ['labTests', 'lab-tests'],
    ['LabTest', 'lab-tests'],
    ['lab_tests', 'lab-tests'],
    ['lab-test', 'lab-tests'],
  ])('that refers to %s is answered by %s', async (written, meant) => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    await addResource(folder, nounOf('lab-tests'), fields('name:string!'));
    const referring = addResource(folder, nounOf('results'), fields(`test:ref(${written})!`));
    await expect(referring).rejects.toThrow(`${written}: unknown collection; did you mean \`${meant}\`?`);
    expect(() => readAddition('reference', 'cats', [`test:${written}!`], {})).not.toThrow();
  });

  it('writes nothing into a contract that has errors', async () => {
    await withInvalidContract('path-verb', (invalid) => cp(invalid, folder, { recursive: true }));
    const before = await everything();
    expect((await addResource(folder, nounOf('suppliers'), fields('name:string!'))).kind).toBe('refused');
    expect(await everything()).toEqual(before);
  });
});

describe('the words of the command line', () => {
  it.each([
    ['name', 'name is not a field'],
    ['Name:string', 'Name:string is not a field'],
    ['name:colour', 'colour is not a type'],
    ['pages:int', 'Did you mean integer?'],
    ['name:strnig', 'Did you mean string?'],
    ['Page_Count:Integer!', 'Did you mean pageCount:integer!?'],
    ['state:enum(draft,inPrint)', 'like enum(DRAFT,IN_PRINT)'],
    ['name:string:uniqe', 'Did you mean unique?'],
    ['name:string(3)', 'string is not a type'],
    ['id:string', 'every resource already has id'],
    ['name:string:indexed', 'indexed is not a modifier; use unique or immutable'],
    ['state:enum', 'UPPER_SNAKE_CASE'],
    ['state:enum(a,B)', 'UPPER_SNAKE_CASE'],
    ['state:enum(A,A)', 'the same value twice'],
    ['owner:ref', 'name the collection that it refers to'],
  ])('%s is refused', (word, message) => {
    expect(() => readField(word)).toThrow(message);
  });

  it.each([
    ['books', 'Book'],
    ['categories', 'Category'],
    ['boxes', 'Box'],
    ['addresses', 'Address'],
    ['line-items', 'LineItem'],
    ['people', 'Person'],
    ['statuses', 'Status'],
    ['caches', 'Cache'],
    ['analyses', 'Analysis'],
  ])('%s are called %s', (collection, type) => {
    expect(nounOf(collection).type).toBe(type);
  });

  it('ask for a singular that English does not give', () => {
    expect(() => nounOf('equipment')).toThrow('--singular NAME');
    expect(nounOf('equipment', 'device').type).toBe('Device');
    expect(() => nounOf('LineItems')).toThrow('Did you mean line-items?');
  });
});
