import { describe, expect, it } from 'vitest';
import { postgresAddress } from '../../../../src/runtime/storage/postgres/postgres-address.ts';

describe('the address of a Postgres URL', () => {
  it.each([
    ['postgres://u:p%40@db:5433/shop', ['postgres://u:p%40@db:5433/shop'], 'any', 'db:5433/shop'],
    ['postgresql://db/shop?sslmode=verify-full', ['postgres://db/shop?sslmode=verify-full'], 'any', 'db/shop'],
    [
      'postgres://u:p@a:5432,[::1]:5433,c/shop?application_name=x',
      [
        'postgres://u:p@a:5432/shop?application_name=x',
        'postgres://u:p@[::1]:5433/shop?application_name=x',
        'postgres://u:p@c/shop?application_name=x',
      ],
      'read-write',
      'a:5432,[::1]:5433,c/shop',
    ],
    [
      'postgres://u@a,b/shop?target_session_attrs=prefer-standby',
      ['postgres://u@a/shop', 'postgres://u@b/shop'],
      'prefer-standby',
      'a,b/shop',
    ],
    [
      'postgres://u@/shop?host=a,b&port=1,2',
      ['postgres://u@a:1/shop', 'postgres://u@b:2/shop'],
      'read-write',
      'a:1,b:2/shop',
    ],
    [
      'postgres:///shop?host=/run/postgresql&sslmode=require',
      ['postgres:///shop?host=%2Frun%2Fpostgresql&port=5432'],
      'any',
      '/run/postgresql/shop',
    ],
    [
      'postgres://u@%2Frun%2Fpostgresql:5433/shop',
      ['postgres://u@/shop?host=%2Frun%2Fpostgresql&port=5433'],
      'any',
      '/run/postgresql:5433/shop',
    ],
  ])('%s', (uri, urls, target, name) => {
    expect(postgresAddress(uri)).toEqual({ urls, target, name });
  });

  it.each([
    'postgres://u:p@h',
    'postgres://h/',
    'postgres:///shop',
    'postgres://a,,b/shop',
    'postgres://a:99999/shop',
    'postgres://a:b/shop',
    'postgres://a b/shop',
    'postgres://%zz/shop',
    'mysql://h/shop',
    'postgres://a,b/shop?target_session_attrs=leader',
  ])('%s is none', (uri) => {
    expect(postgresAddress(uri)).toBeUndefined();
  });
});
