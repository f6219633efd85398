import { expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import type { Caller } from '../../../src/proving/harness/callers.ts';
import { Rows } from '../../../src/proving/harness/rows.ts';
import type { Step } from '../../../src/proving/harness/step.ts';
import { hiddenReference } from '../../../src/proving/proof/hidden-reference.ts';
import { Random } from '../../../src/tools/random.ts';
import { contractOf } from '../../support/service.ts';

const callerOf = (subject: string | undefined, ...scopes: readonly string[]): Caller => ({
  name: subject ?? 'anonymous',
  subject,
  authorization: subject && 'Bearer x',
  scopes: new Set(scopes),
  claims: {},
});

/** Why a step about entries must be refused, where Ann and Bob have a diary with a page each, and an entry is in Bob's. */
async function asked(action: Step['action'], caller: Caller, input: object) {
  const { resources } = await contractOf('journal');
  const rows = new Rows(resources, new Random(1));
  const of = (key: string) => resources.find((one) => one.key === key)!;
  const stored = ({ properties }: ResourceDescriptor, values: Readonly<Record<string, string | number>>) =>
    properties.map(({ name }) => values[name] ?? null);
  const dump = (key: string, ...some: readonly Readonly<Record<string, string | number>>[]) =>
    [key, some.map((one) => stored(of(key), one))] as const;
  const tables = [
    dump('accounts', { id: 'ann' }, { id: 'bob' }),
    dump('diaries', { id: 1, writerId: 'ann' }, { id: 2, writerId: 'bob' }),
    dump('diaries.pages', { id: 'p1', diaryId: 1 }, { id: 'p2', diaryId: 2 }),
    dump('entries', { id: 'e1', diaryId: 2 }),
  ];
  rows.update(Object.fromEntries(tables));
  const step = { resource: of('entries'), action, caller, label: 'asked', isFaulty: false, params: {}, input };
  return hiddenReference(step, action === 'create' ? undefined : rows.of(of('entries'))[0], rows);
}

const [ann, admin, nobody] = [callerOf('ann'), callerOf('eve', 'diaries:admin'), callerOf(undefined)];

it.each([
  ['a row of another', 'create', ann, { diaryId: 2 }, 'diaryId'],
  ['its own', 'create', ann, { diaryId: 1, pageId: 'p1', readerId: 'ann' }, undefined],
  ['one that is not there', 'create', ann, { diaryId: 9, pageId: null }, undefined],
  ['a row below one of another', 'create', ann, { diaryId: 1, pageId: 'p2' }, 'pageId'],
  ['rows of all, by scope', 'create', admin, { diaryId: 2, pageId: 'p2' }, undefined],
  ['a row by no token', 'create', nobody, { diaryId: 1 }, 'diaryId'],
  ['what the contract allows', 'create', ann, { quotedId: 2 }, undefined],
  ['what the row refers to already', 'replace', ann, { diaryId: 2, text: 'x' }, undefined],
  ['another than the row refers to', 'update', nobody, { diaryId: 1 }, 'diaryId'],
] as const)('the model judges references to %s', async (_, action, caller, input, named) => {
  const reason = await asked(action, caller, input);
  if (named === undefined) expect(reason).toBeUndefined();
  else expect(reason).toBe(`by \`x-owner\`, ${caller.name} may not refer to the row that \`${named}\` names, but did`);
});
