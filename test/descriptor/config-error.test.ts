import { describe, expect, it } from 'vitest';
import { ConfigError, reasonOf, systemFault } from '../../src/descriptor/config-error.ts';

const fault = (message: string, fields: object) => Object.assign(new Error(message), fields);
const sqlite = (message: string, errcode: number) => fault(message, { code: 'ERR_SQLITE_ERROR', errcode });

describe('a fault of a place', () => {
  it.each([
    [
      fault('ENOSPC: no space left on device, write', { code: 'ENOSPC' }),
      ': its disk is full (ENOSPC: no space left on device, write)',
    ],
    [fault('could not extend file', { code: '53100' }), ': its disk is full (could not extend file)'],
    [sqlite('database or disk is full', 13), ': its disk is full (database or disk is full)'],
    [fault('cannot execute INSERT', { code: '25006' }), ': it is a standby, or read-only (cannot execute INSERT)'],
    [sqlite('attempt to write a readonly database', 1_032), ': it is read-only (attempt to write a readonly database)'],
    [sqlite('database is locked', 261), ': another program has locked it (database is locked)'],
    [fault('', { code: 'ENOTDIR' }), ' (ENOTDIR)'],
  ])('%s is named with what it means', (error, why) => {
    const explained = systemFault('DATABASE_URL', 'the place', error);
    expect(explained).toBeInstanceOf(ConfigError);
    expect((explained as ConfigError).message).toBe(`DATABASE_URL: the place cannot be used${why}.`);
  });

  it('that has no code is none', () => {
    const error = new Error('a bug');
    expect(systemFault('DATABASE_URL', 'the place', error)).toBe(error);
  });
});

describe('a reason', () => {
  it('has what it comes from, and each of several', () => {
    const several = new AggregateError([new Error('::1 refused'), new Error('127.0.0.1 refused')]);
    expect(reasonOf(new Error('store: unavailable', { cause: several }))).toBe(
      'store: unavailable: ::1 refused, 127.0.0.1 refused',
    );
    expect(reasonOf('a text')).toBe('a text');
  });
});
