import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { type As, type Reply, type Service, startCompiled, startService } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const ann: As = { sub: 'ann', scope: '' };
const bob: As = { sub: 'bob', scope: '' };
const admin: As = { sub: 'admin', scope: 'diaries:admin' };
const ABSENT = '00000000-0000-7000-8000-0000000000ff';

/** What a write comes to, over either protocol. */
interface Written {
  readonly code: string;
  readonly places: readonly string[];
  readonly words: string;
  readonly entry: Json;
}

type Write = (as: As | undefined, input: object, id?: string) => Promise<Written>;

/** Accounts of all three, and a diary with a page of Ann and of Bob each. */
async function fill(service: Service) {
  const post = async (path: string, as: As, body: object) => {
    const reply = await service.request('POST', `/v1${path}`, { as, body });
    expect(reply.status).toBe(201);
    return reply.body;
  };
  for (const as of [ann, bob, admin]) await post('/accounts', as, { name: as.sub });
  const made = async (as: As) => {
    const diary = await post('/diaries', as, { title: `of ${as.sub}` });
    return { diary: diary.id, page: (await post(`/diaries/${diary.id}/pages`, as, { text: 'first' })).id };
  };
  return { own: await made(ann), hidden: await made(bob) };
}

function writers(service: Service): Readonly<Record<'REST' | 'GraphQL', Readonly<Record<string, Write>>>> {
  const rest = async (method: string, as: As | undefined, input: object, id?: string): Promise<Written> => {
    const url = `/v1/entries${id === undefined ? '' : `/${id}`}`;
    const { status, body } = await service.request(method, url, { ...(as && { as }), body: input });
    if (status < 300) return { code: 'ok', places: [], words: '', entry: body };
    const places = body.errors?.map(({ pointer }: Json) => pointer.slice(1)) ?? [];
    return { code: body.code, places, words: JSON.stringify([body.detail, body.errors]), entry: undefined };
  };
  const graphql = async (field: string, as: As | undefined, input: object, id?: string): Promise<Written> => {
    const [declared, given] = id === undefined ? ['', ''] : ['$id: ID!, ', 'id: $id, '];
    const type = field === 'updateEntry' ? 'EntryPatch' : 'EntryInput';
    const text = `mutation (${declared}$input: ${type}!) { ${field}(${given}input: $input) { id text diaryId } }`;
    const { data, errors } = await service.graphql(text, { ...(as && { as }), variables: { id, input } });
    if (!errors) return { code: 'ok', places: [], words: '', entry: data[field] };
    const [{ message, extensions }] = errors as [Json];
    const places = extensions.errors?.map(({ argument }: Json) => argument.replace('input.', '')) ?? [];
    return { code: extensions.code, places, words: JSON.stringify([message, extensions.errors]), entry: undefined };
  };
  return {
    REST: {
      create: (as, input) => rest('POST', as, input),
      replace: (as, input, id) => rest('PUT', as, input, id),
      update: (as, input, id) => rest('PATCH', as, input, id),
    },
    GraphQL: {
      create: (as, input) => graphql('createEntry', as, input),
      replace: (as, input, id) => graphql('replaceEntry', as, input, id),
      update: (as, input, id) => graphql('updateEntry', as, input, id),
    },
  };
}

describe.each(databases)('on $name,', (database) => {
  let service: Service;
  let own: Json;
  let hidden: Json;
  const start = async (handlers: AnyHandlers = {}) => {
    service = await startService('journal', database, handlers);
    ({ own, hidden } = await fill(service));
  };
  afterEach(() => service.close());

  const send = (method: string, path: string, as: As, body?: object): Promise<Reply> =>
    service.request(method, `/v1${path}`, { as, ...(body && { body }) });

  describe.each(['REST', 'GraphQL'] as const)('over %s,', (protocol) => {
    let write: Readonly<Record<string, Write>>;
    beforeEach(async () => {
      await start();
      write = writers(service)[protocol];
    });
    const entry = (values: object = {}) => ({ diaryId: own.diary, text: 'new', ...values });
    const made = async (as: As | undefined, values: object = {}): Promise<string> => {
      const { entry: one, words } = await write['create']!(as, entry(values));
      expect(words).toBe('');
      return one.id;
    };

    it.each(['create', 'replace', 'replace where nothing is', 'update'])(
      'a %s names no row that x-owner hides, and says of it what it says of one that is not there',
      async (action) => {
        const isCreated = action === 'replace where nothing is';
        const id = action === 'create' ? undefined : isCreated ? ABSENT : await made(ann);
        const by = (as: As, values: object) => write[action.split(' ')[0]!]!(as, entry(values), id);
        const cases = [
          ['diaryId', hidden.diary, 999],
          ['pageId', hidden.page, ABSENT],
          ['readerId', 'bob', 'zed'],
        ] as const;
        for (const [name, concealed, absent] of cases) {
          const refused = await by(ann, { [name]: concealed });
          expect(refused).toMatchObject({ code: 'REFERENCE_NOT_FOUND', places: [name] });
          const missing = await by(ann, { [name]: absent });
          expect(refused.words.replaceAll(String(concealed), String(absent))).toBe(missing.words);
        }
        expect(await by(ann, { pageId: own.page, readerId: 'ann' })).toMatchObject({ code: 'ok' });
        if (!isCreated)
          expect(await by(admin, { diaryId: hidden.diary, pageId: hidden.page })).toMatchObject({ code: 'ok' });
      },
    );

    it('what a row refers to already stays', async () => {
      const id = await made(admin, { diaryId: hidden.diary, pageId: hidden.page, text: 'old' });
      const same = { diaryId: hidden.diary, pageId: hidden.page };
      expect(await write['update']!(ann, { text: 'changed' }, id)).toMatchObject({ entry: { text: 'changed' } });
      expect(await write['update']!(ann, { ...same, text: 'again' }, id)).toMatchObject({ entry: { text: 'again' } });
      expect(await write['replace']!(ann, entry({ ...same, text: 'put' }), id)).toMatchObject({
        entry: { text: 'put' },
      });
      expect(await write['update']!(ann, { diaryId: own.diary }, id)).toMatchObject({ code: 'ok' });
      expect(await write['update']!(ann, same, id)).toMatchObject({ code: 'REFERENCE_NOT_FOUND', places: ['diaryId'] });
    });

    it('a contract may allow it', async () => {
      expect(await write['create']!(ann, entry({ quotedId: hidden.diary }))).toMatchObject({ code: 'ok' });
      expect(await write['create']!(undefined, entry({ quotedId: hidden.diary }))).toMatchObject({
        places: ['diaryId'],
      });
      expect(await write['create']!(ann, entry({ quotedId: 999 }))).toMatchObject({ places: ['quotedId'] });
    });

    it('callers without a token own nothing that they could name', async () => {
      const refused = await write['create']!(undefined, entry());
      expect(refused).toMatchObject({ code: 'REFERENCE_NOT_FOUND', places: ['diaryId'] });
      const missing = await write['create']!(undefined, entry({ diaryId: 999 }));
      expect(refused.words.replaceAll(String(own.diary), '999')).toBe(missing.words);
      const id = await made(ann);
      expect(await write['update']!(undefined, { text: 'changed' }, id)).toMatchObject({ entry: { text: 'changed' } });
    });

    it('so that owners can delete what is theirs', async () => {
      await write['create']!(ann, entry({ diaryId: hidden.diary }));
      expect(await send('DELETE', `/diaries/${hidden.diary}`, bob)).toMatchObject({ status: 204 });
    });
  });

  it('by the owner of its row, a caller names whom `x-owner` lets it', async () => {
    await start();
    expect(await send('POST', '/diaries', admin, { writerId: 'bob', title: 'for Bob' })).toMatchObject({ status: 201 });
    expect(await send('PATCH', `/diaries/${own.diary}`, admin, { writerId: 'bob' })).toMatchObject({ status: 200 });
    expect(await send('POST', '/diaries', admin, { writerId: 'zed', title: 'of none' })).toMatchObject({ status: 422 });
    for (const writerId of ['ann', 'zed'])
      expect(await send('POST', '/diaries', bob, { writerId, title: 'x' })).toMatchObject({
        status: 403,
        body: { errors: [{ pointer: '/writerId' }] },
      });
    expect(await send('POST', '/diaries', bob, { writerId: 'bob', title: 'x' })).toMatchObject({ status: 201 });
  });

  it('a hidden parent is not found, as before', async () => {
    await start();
    expect(await send('POST', `/diaries/${hidden.diary}/pages`, ann, { text: 'x' })).toMatchObject({ status: 404 });
    expect(await send('POST', `/diaries/${hidden.diary}/pages`, admin, { text: 'x' })).toMatchObject({ status: 201 });
  });

  it('an answer is repeated, whoever owns what it refers to by then', async () => {
    await start();
    const once = (key: string) =>
      service.request('POST', '/v1/entries', {
        as: ann,
        body: { diaryId: own.diary, text: 'once' },
        headers: { 'idempotency-key': key },
      });
    const first = await once('a');
    expect(first.status).toBe(201);
    expect(await send('PATCH', `/diaries/${own.diary}`, admin, { writerId: 'bob' })).toMatchObject({ status: 200 });
    expect((await once('a')).text).toBe(first.text);
    expect(await once('b')).toMatchObject({ status: 422 });
  });

  it('code is no caller, and runs for what its caller may name alone', async () => {
    const texts: string[] = [];
    const create = async (input: Json, { store }: Json, next: (input: Json) => Promise<Json>) => {
      texts.push(input.text);
      await store.entries.create({ ...input, diaryId: hidden.diary });
      return next({ ...input, diaryId: hidden.diary });
    };
    await start({ overrides: { entries: { create } } } as unknown as AnyHandlers);
    const refused = await send('POST', '/entries', ann, { diaryId: hidden.diary, text: 'refused' });
    expect(refused.status).toBe(422);
    const made = await send('POST', '/entries', ann, { diaryId: own.diary, text: 'made' });
    expect(made).toMatchObject({ status: 201, body: { diaryId: hidden.diary } });
    expect(texts).toEqual(['made']);
  });

  it('`x-access` binds where `x-owner` does not', async () => {
    const rule = 'x-access: { read: [{ where: { title: open } }] }\n      x-owner: { property: writerId,';
    const contract = await editedContract('journal', [['openapi.yaml', 'x-owner: { property: writerId,', rule]]);
    service = await startCompiled(contract, database);
    const post = (path: string, as: As, body: object) => send('POST', path, as, body);
    for (const as of [ann, bob]) await post('/accounts', as, { name: as.sub });
    for (const title of ['open', 'shut']) await post('/diaries', bob, { title });
    expect(await post('/diaries', ann, { title: 'open' })).toMatchObject({ status: 201, body: { id: 3 } });
    const quoting = (quotedId: number) => post('/entries', ann, { diaryId: 3, text: 'x', quotedId });
    expect(await quoting(1)).toMatchObject({ status: 201 });
    expect(await quoting(2)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/quotedId' }] } });
    expect(await post('/entries', ann, { diaryId: 1, text: 'x' })).toMatchObject({ status: 422 });
  });
});
