import { expect, it } from 'vitest';
import { basePathOf, serverUrl } from '../../src/descriptor/base-path.ts';

const variables = { host: { default: 'api.example.com' }, port: { default: '8443' }, version: { default: 'v2' } };

it.each([
  ['/v1', '/v1'],
  ['/v1/', '/v1'],
  ['https://{host}:{port}/v1', '/v1'],
  ['https://{host}/{version}', '/v2'],
  ['/', ''],
])('the API of %s is below %s', (url, path) => {
  expect(basePathOf({ servers: [{ url, variables }] })).toBe(path);
});

it('the URL of a server has the defaults of its variables, and what has none as it is', () => {
  expect(serverUrl({ url: 'https://{host}:{port}/{constructor}', variables })).toBe(
    'https://api.example.com:8443/{constructor}',
  );
  expect(serverUrl(undefined)).toBe('');
});
