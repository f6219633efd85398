import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readField } from '../../../src/authoring/scaffold/field.ts';
import { addResource } from '../../../src/authoring/scaffold/new-resource.ts';
import { nounOf } from '../../../src/authoring/scaffold/noun.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { databases } from '../../support/databases.ts';
import { startCompiled } from '../../support/service.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
});
afterEach(() => rm(folder, { recursive: true }));

const fields = (...words: string[]) => words.map(readField);

describe('a new resource', () => {
  it.each([
    ['integer', { type: 'integer' }, [1]],
    ['text', { type: 'string', origin: 'input' }, ['A.1']],
    ['slug', { type: 'string', origin: 'input' }, ['old-town']],
  ] as const)('has ids of the kind %s, which references and sub-resources have too', async (id, expected, [first]) => {
    await cp('test/fixtures/library', folder, { recursive: true });
    const add = (name: string, words: readonly string[], place?: Parameters<typeof addResource>[3]) =>
      addResource(folder, nounOf(name), fields(...words), place);
    expect(await add('halls', ['name:string!', 'next:ref(halls)'], { id })).toMatchObject({ kind: 'written' });
    expect(await add('doors', ['name:string!'], { parent: 'halls' })).toMatchObject({ kind: 'written' });
    expect(await add('guides', ['name:string!', 'hall:ref(halls)!'])).toMatchObject({ kind: 'written' });
    const { model, parity } = await modelContract(folder);
    expect(parity.filter(({ verdict }) => verdict === 'different')).toEqual([]);
    const property = (key: string, name: string) =>
      model!.resources.find((one) => one.key === key)!.properties.find((one) => one.name === name);
    expect(property('halls', 'id')).toMatchObject(expected);
    const places = [
      ['halls', 'nextId'],
      ['halls.doors', 'hallId'],
      ['guides', 'hallId'],
    ] as const;
    for (const [key, name] of places) expect(property(key, name)).toMatchObject({ type: expected.type });
    const service = await startCompiled(model!, databases[0]!, {}, { allowMissing: true });
    const scope = ['halls', 'doors', 'guides'].flatMap((name) => [`${name}:read`, `${name}:write`]).join(' ');
    const post = (path: string, body: object) =>
      service.request('POST', `/v1${path}`, { as: { sub: 'me', scope }, body });
    const sent = id === 'integer' ? {} : { id: first };
    expect(await post('/halls', { ...sent, name: 'One' })).toMatchObject({ status: 201, body: { id: first } });
    expect(await post(`/halls/${first}/doors`, { name: 'West' })).toMatchObject({
      status: 201,
      body: { hallId: first },
    });
    expect(await post('/guides', { name: 'Ann', hallId: first })).toMatchObject({
      status: 201,
      body: { hallId: first },
    });
    await service.close();
  });
});
