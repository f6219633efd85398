import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';

const TABLES = `
create table shop.films (film_id integer primary key, title text not null);
create table shop.actors (actor_id integer primary key, name text not null);
create table shop.film_actors (
  film_id integer not null references shop.films on delete cascade,
  actor_id integer not null references shop.actors on delete cascade,
  primary key (film_id, actor_id)
);
insert into shop.films values (1, 'One'), (2, 'Two');
insert into shop.actors values (1, 'Ann'), (2, 'Bob');`;

const INTEGER = { type: 'integer', minimum: 1 };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (status: string, name?: string) => ({
  responses: { [status]: { description: 'Done.', ...(name && content(name)) } },
});
const content = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } });
const inPath = (name: string, schema: object = INTEGER) => ({ name, in: 'path', required: true, schema });
const mapped = (table: string, properties: object, more: object = {}) => ({
  'x-table': { schema: 'shop', name: table },
  type: 'object',
  required: ['id', 'version', ...Object.keys(properties)],
  properties: { id: INTEGER, version: { type: 'string' }, ...properties, ...more },
});
const link = (verb: string) => ({ operationId: `${verb}FilmActor`, 'x-through': 'FilmActor', ...answer('204') });
const reference = (target: string) => ({
  ...INTEGER,
  'x-references': target,
  'x-on-delete': 'cascade',
  'x-immutable': true,
});

const document = {
  openapi: '3.1.0',
  info: { title: 'Films', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  security: [],
  paths: {
    '/films/{filmId}': { parameters: [inPath('filmId')], get: { operationId: 'getFilm', ...answer('200', 'Film') } },
    '/actors/{actorId}': {
      parameters: [inPath('actorId')],
      get: { operationId: 'getActor', ...answer('200', 'Actor') },
    },
    '/film-actors': {
      post: {
        operationId: 'createFilmActor',
        requestBody: { required: true, ...content('FilmActorInput') },
        ...answer('201', 'FilmActor'),
      },
    },
    '/film-actors/{filmActorId}': {
      parameters: [inPath('filmActorId', { type: 'string', maxLength: 40 })],
      get: { operationId: 'getFilmActor', ...answer('200', 'FilmActor') },
      delete: { operationId: 'deleteFilmActor', ...answer('204') },
    },
    '/films/{filmId}/actors/{actorId}': {
      parameters: [inPath('filmId'), inPath('actorId')],
      put: link('link'),
      delete: link('unlink'),
    },
  },
  components: {
    schemas: {
      Film: mapped('films', { title: { type: 'string' } }, { id: { ...INTEGER, 'x-column': 'film_id' } }),
      Actor: mapped('actors', { name: { type: 'string' } }, { id: { ...INTEGER, 'x-column': 'actor_id' } }),
      FilmActor: mapped(
        'film_actors',
        { filmId: reference('Film'), actorId: reference('Actor') },
        { id: { type: 'string', maxLength: 40, 'x-column': ['film_id', 'actor_id'] } },
      ),
      FilmActorInput: {
        type: 'object',
        additionalProperties: false,
        required: ['filmId', 'actorId'],
        properties: { filmId: INTEGER, actorId: INTEGER },
      },
    },
  },
};

const compiled = (): Promise<CompiledContract> =>
  withFolder({ 'openapi.yaml': stringify(document, { aliasDuplicateObjects: false }) }, async (folder) => {
    const { model, findings } = await modelContract(folder);
    if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
    return model;
  });

describe.skipIf(!hasPostgres)('links by the key of a table of others', () => {
  let service: Service;
  const database = tradeDatabase(TABLES);
  beforeAll(async () => {
    service = await startCompiled(await compiled(), database);
  });
  afterAll(() => service.close());
  const send = async (method: string, film: number, actor: number) =>
    (await service.request(method, `/v1/films/${film}/actors/${actor}`)).status;
  const rows = async () =>
    (await administer(database.url, 'select film_id, actor_id from shop.film_actors order by 1, 2')).map((row) =>
      Object.values(row as object),
    );

  it('are rows whose id is the pair', async () => {
    expect([await send('PUT', 1, 2), await send('PUT', 1, 2), await send('PUT', 2, 2)]).toEqual([204, 204, 204]);
    expect(await rows()).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect((await service.request('GET', '/v1/film-actors/1~2')).status).toBe(200);
    expect([await send('DELETE', 1, 2), await send('DELETE', 1, 2), await send('DELETE', 1, 9)]).toEqual([
      204, 204, 404,
    ]);
    expect(await rows()).toEqual([[2, 2]]);
    const all = await Promise.all(Array.from({ length: 6 }, () => send('PUT', 1, 1)));
    expect(new Set(all)).toEqual(new Set([204]));
    expect(await rows()).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });
});
