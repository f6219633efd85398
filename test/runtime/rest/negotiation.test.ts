import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openZoo, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
beforeAll(async () => {
  zoo = await openZoo();
});
afterAll(() => zoo.app.close());

describe('Accept', () => {
  test.each([
    '',
    ' ',
    ',',
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.1',
    'text/html,*/*;q=0.8',
    'application/problem+json, application/json',
  ])('%j gets JSON', async (accept) => {
    expect((await zoo.app.inject({ url: '/v1/cats', headers: { accept } })).statusCode).toBe(200);
  });

  test.each(['text/html', 'application/xml', 'application/json;q=0', 'text/*', 'application/problem+json', '*/*;q=0'])(
    '%s gets 406',
    async (accept) => {
      const response = await zoo.app.inject({ url: '/v1/cats', headers: { accept } });
      expect(response.json()).toMatchObject({
        status: 406,
        code: 'NOT_ACCEPTABLE',
        detail: 'Available media types: application/json.',
      });
      expect(response.headers['content-type']).toContain('application/problem+json');
    },
  );

  test('chooses among the types of a response', async () => {
    const add = (accept: string) =>
      zoo.app.inject({ method: 'POST', url: '/v1/documents', headers: { accept }, payload: { title: 'x' } });
    const csv = await add('text/csv, application/json;q=0.5');
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv', vary: 'accept' });
    expect(csv.body).toBe('title\nx');
    expect((await add('*/*')).headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
