import { expect, it } from 'vitest';
import { packageVersionOf } from '../../src/descriptor/package.ts';

const versionOf = (version: string, given?: unknown) =>
  packageVersionOf({ openapi: '3.1.0', info: { title: 'Cats', version, 'x-package': given }, paths: {} });

it.each([
  ['1.4.0', '1.4.0'],
  ['1.4.0-rc.1', '1.4.0-rc.1'],
  ['3', '3.0.0'],
  ['v3', '3.0.0'],
  ['1.4', '1.4.0'],
  ['2026-11-01', '0.0.0'],
  ['2026.01', '2026.1.0'],
])('a contract of version %s has packages of version %s', (version, expected) => {
  expect(versionOf(version)).toBe(expected);
});

it('is what x-package says, where it says one', () => {
  expect(versionOf('2026-11-01', { version: '1.4.0' })).toBe('1.4.0');
  expect(versionOf('3.1.4', { name: '@acme/cats' })).toBe('3.1.4');
  expect(versionOf('3.1.4', '@acme/cats')).toBe('3.1.4');
});
