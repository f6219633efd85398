import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../docs/support/blocks.ts';
import { withFolder } from '../support/folder.ts';
import { GREETINGS } from './support/greetings.ts';
import { byFetch, paste } from './support/paste.ts';
import { type Started, started } from './support/started.ts';

async function pasteAll(calls: readonly string[]) {
  const replies = [];
  for (const call of calls) replies.push(await paste(call));
  return replies;
}

const statuses = (replies: readonly { readonly status: number }[]): number[] => replies.map(({ status }) => status);

describe('npm start', () => {
  let folder = '';
  let first: Started;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    first = await started(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('says whose token each is', () => {
    const { output, tokens } = first;
    const labels = [...output.matchAll(/^As the (\w+) (\S+) \((.*)\):\n {2}(\w+)=/gm)];
    const callers = labels.map(([, role, subject, scopes, variable]) => ({ role, subject, scopes, variable }));
    const scopes = 'users:read, users:write, ';
    expect(callers).toEqual([
      expect.objectContaining({ role: 'customer', scopes: `${scopes}reviews:write, orders:read, orders:write` }),
      expect.objectContaining({
        role: 'admin',
        scopes: `${scopes}users:admin, products:write, reviews:write and 4 more`,
      }),
    ]);
    for (const { subject, variable } of callers) {
      const claims = JSON.parse(Buffer.from(tokens[variable!]!.split('.')[1]!, 'base64url').toString());
      expect(claims.sub).toBe(subject);
    }
  });

  it('prints a call and tokens for GraphQL that work when pasted', async () => {
    const { graphql, output, base, tokens } = first;
    const origin = base.replace('/v1', '');
    const { status, body } = await paste(graphql[0]!);
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body.data.products.nodes).toHaveLength(2);
    expect(output).toContain(`${origin}/graphiql`);
    expect((await fetch(`${origin}/graphiql`)).status).toBe(200);
    const headers = { authorization: `Bearer ${tokens['CUSTOMER']}`, 'content-type': 'application/json' };
    const query = '{ orders(first: 1) { nodes { user { name } } } }';
    const reply = await fetch(`${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    expect(await reply.json()).toMatchObject({
      data: { orders: { nodes: [{ user: { name: expect.any(String) } }] } },
    });
  });

  it('fills a new database, prints calls that work when pasted, and keeps the data', async () => {
    expect(first.output).toContain('rows of sample data');
    // docs/tutorial.md shows a part of it, where `…` stands for anything.
    const { text } = readBlocks().find(({ markers }) => markers['tested in'] === 'test/scripts/start.test.ts')!;
    const literal = (part: string): string => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const shown = text
      .trim()
      .replaceAll('127.0.0.1:3000', new URL(first.base).host)
      .split(/\s*…\s*/);
    expect(first.output).toMatch(new RegExp(shown.map(literal).join('[\\s\\S]*')));
    const replies = await pasteAll(first.curls);
    expect(statuses(replies)).toEqual([200, 200, 201]);
    expect(replies[1]!.body.data.length).toBeGreaterThan(0);
    const made = `${first.base}/products/${replies[2]!.body.id}`;
    expect(await (await fetch(made)).json()).toEqual(replies[2]!.body);
    expect(await first.command.stop()).toMatchObject({ code: 0 });

    const second = await started(folder);
    expect(second.output).not.toContain('sample data');
    const kept = made.replace(first.base, second.base);
    expect(await (await fetch(kept)).json()).toEqual(replies[2]!.body);
    // What the line creates is new each time, though its number is unique.
    expect(statuses(await Promise.all(second.curls.map(byFetch)))).toEqual([200, 200, 201]);
    await second.command.stop();
  });

  it('answers 501 for operations that have no handler, and says so', () =>
    withFolder({ 'contract/openapi.yaml': GREETINGS }, async (folder) => {
      const { command, base, output, curls } = await started(folder, ['--contracts', `${folder}/contract`]);
      expect(output).toContain('Without a handler, and so answered 501: greet\n');
      expect(curls).toEqual([]);
      const { status, body } = await byFetch(`curl '${base}/greeting'`);
      expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
      await command.stop();
    }));
});
