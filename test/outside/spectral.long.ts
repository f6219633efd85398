import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import spectral from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import parsers from '@stoplight/spectral-parsers';
import { expect, test } from 'vitest';
import { resolveReference } from '../../src/compiler/json-schema/references.ts';
import type { OpenApiDocument, Reference } from '../../src/descriptor/document.ts';
import { valueAt } from '../../src/descriptor/json-pointer.ts';

const root = join(import.meta.dirname, '..', '..');
const text = await readFile(join(root, 'generated/openapi.json'), 'utf8');

interface Finding {
  readonly rule: string;
  readonly place: string;
}

/** Whether a rule is excepted at a place of the document; docs/testing.md has the reason. */
type Exception = (place: string, schema: Readonly<Record<string, unknown>>) => boolean;

/** Schemas that only the server writes by. */
const isWritten = (place: string): boolean =>
  /^components\/(?:headers|schemas\/(?:Problem|FieldError|PageInfo))\/|\/headers\/ETag\//.test(place);

const PUBLIC = /^paths\/\/products(?:\/\{productId\}(?:\/rating-summary|\/reviews(?:\/\{reviewId\})?)?)?\/get\//;

const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'owasp:api2:2023-read-restricted': (place) => PUBLIC.test(place),
  'owasp:api8:2023-define-error-responses-401': (place) => PUBLIC.test(place),
  'owasp:api8:2023-define-cors-origin': () => true,
  'owasp:api4:2023-rate-limit': (place) => !/\/responses\/2/.test(place),
  'owasp:api4:2023-integer-format': (_, schema) => typeof schema['minimum'] === 'number',
  'owasp:api4:2023-integer-limit': (place) => isWritten(place) || place.startsWith('components/schemas/RatingSummary/'),
  'owasp:api4:2023-string-limit': (place, schema) => 'format' in schema || 'pattern' in schema || isWritten(place),
  'owasp:api4:2023-string-restricted': isWritten,
};

/** What the OWASP rules of Spectral find in the document that the server publishes. */
async function findings(): Promise<readonly Finding[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: [[owasp, 'all']] }));
  const results = await linter.run(new spectral.Document(text, parsers.Json, 'openapi.json'));
  return results.map(({ code, path }) => ({ rule: String(code), place: path.join('/') }));
}

const all = await findings();
const document: OpenApiDocument = JSON.parse(text);

function isExcepted({ rule, place }: Finding): boolean {
  return EXCEPTIONS[rule]?.(place, schemaAt(place)) ?? false;
}

/** The node at a place, which begins with a path whose own slashes are not escaped, or what it refers to. */
function schemaAt(place: string): Readonly<Record<string, unknown>> {
  const [, path = '', rest = place] = /^paths\/(\/.+?)\/((?:get|post|put|patch|delete)\/.+)$/.exec(place) ?? [];
  const node = valueAt(document, [...(path ? ['paths', path] : []), ...rest.split('/')]);
  return resolveReference<Readonly<Record<string, unknown>>>(document, node as Reference | undefined) ?? {};
}

test('Spectral finds nothing by the rules of OWASP, but for the exceptions', () => {
  expect(all.filter((finding) => !isExcepted(finding))).toEqual([]);
});

test('each exception is needed, and the documentation has its reason', async () => {
  const needed = new Set(all.filter(isExcepted).map(({ rule }) => rule));
  expect([...needed].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  const docs = await readFile(join(root, 'docs/testing.md'), 'utf8');
  expect([...docs.matchAll(/`(owasp:[^`]+)`/g)].map(([, rule]) => rule).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});
