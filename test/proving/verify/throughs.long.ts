import { expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { nestedOf } from '../../../src/descriptor/resource.ts';
import { verify } from '../../../src/proving/verify/verify.ts';
import { contractOf } from '../../support/service.ts';
import { repeatableCallers, repeatableService } from '../../support/unseen-contracts.ts';

/** What verify finds in a server of `served` by the contract of the club. */
async function found(served: CompiledContract): Promise<readonly (readonly [rule: string, subject: string])[]> {
  const contract = await contractOf('club');
  const service = await repeatableService({ name: 'club', handlers: {}, compiled: async () => served });
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init.headers));
    const asked = { headers, ...(init.body != null && { body: String(init.body) }) };
    const reply = await service.request(init.method ?? 'GET', pathname + search, asked);
    const { 'content-length': _, ...kept } = reply.headers as Record<string, string>;
    return new Response([204, 304].includes(reply.status) ? null : reply.text, { status: reply.status, headers: kept });
  };
  const callers = repeatableCallers(contract);
  const { findings } = await verify({
    contract,
    origin: 'http://server',
    callers,
    seed: 3,
    runs: 40,
    maxFindings: 9,
    fetch,
  });
  await service.close();
  return findings.map(({ rule, subject }) => [rule, subject] as const);
}

it('verify finds nothing wrong with lists through other resources that are as they should be', async () => {
  expect(await found(await contractOf('club'))).toEqual([]);
});

it('verify finds lists through other resources that lack what is joined', async () => {
  const { resources, ...rest } = await contractOf('club');
  const turned = resources.map((one) => ({
    ...one,
    ...(one.further && {
      further: nestedOf(one).map((through) => ({ ...through, from: through.to, to: through.from })),
    }),
  }));
  const findings = await found({ ...rest, resources: turned });
  expect(findings.map(([rule]) => rule)).toContain('through');
  expect(findings.every(([, subject]) => /^list(Followed|Followers|GroupsOfPerson|PeopleInGroup)$/.test(subject))).toBe(
    true,
  );
});

it('verify finds lists through other resources that are others in GraphQL', async () => {
  const { graphql, ...rest } = await contractOf('club');
  const fields = { ...graphql!.descriptor.fields };
  fields['Person.followed'] = graphql!.descriptor.fields['Person.followers']!;
  const findings = await found({ ...rest, graphql: { ...graphql!, descriptor: { ...graphql!.descriptor, fields } } });
  expect(findings).toContainEqual(['parity', 'person.followed']);
});
