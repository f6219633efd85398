import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import type { Finding } from '../../../src/compiler/findings/finding.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { withFolder } from '../../support/folder.ts';

type Files = Readonly<Record<string, string>>;

const head = 'openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n';
const schema = (text: string): string => `${head}paths: {}\ncomponents:\n  schemas:\n    S: ${text}\n`;

const findingsOf = async (files: Files): Promise<readonly Finding[]> =>
  (await withFolder(files, readContract)).findings;

/** As `file:line rule pointer`. */
const brief = ({ location: { file, line, pointer }, rule }: Finding): string => `${file}:${line} ${rule} ${pointer}`;

describe('faults of a contract', () => {
  it.each<[string, Files, string]>([
    [
      'broken percent-encoding in a pointer',
      { 'openapi.yaml': schema('{ $ref: "#/%zz" }') },
      'openapi.yaml:6 reference-unresolved /components/schemas/S/$ref',
    ],
    [
      'broken percent-encoding in a path',
      { 'openapi.yaml': schema('{ $ref: "%zz.yaml" }') },
      'openapi.yaml:6 reference-unresolved /components/schemas/S/$ref',
    ],
    [
      'a discriminator that is no object',
      { 'openapi.yaml': schema('{ type: object, discriminator: kind }') },
      'openapi.yaml:6 openapi-structure /components/schemas/S/discriminator',
    ],
    [
      'an anchor',
      { 'openapi.yaml': schema('{ $ref: "a.yaml#Name" }'), 'a.yaml': 'type: string\n' },
      'openapi.yaml:6 reference-unresolved /components/schemas/S/$ref',
    ],
    [
      'an absolute path',
      { 'openapi.yaml': schema('{ $ref: /a.yaml }'), 'a.yaml': 'type: string\n' },
      'openapi.yaml:6 reference-unresolved /components/schemas/S/$ref',
    ],
    [
      'an empty file',
      { 'openapi.yaml': schema('{ $ref: a.yaml }'), 'a.yaml': '' },
      'openapi.yaml:6 reference-unresolved /components/schemas/S/$ref',
    ],
    [
      'a folder for a file',
      { 'openapi.yaml': schema('{ $ref: a }'), 'a/b.yaml': '' },
      'openapi.yaml:6 file-unreadable /components/schemas/S/$ref',
    ],
    [
      'a dangling reference in another file',
      { 'openapi.yaml': schema('{ $ref: a.yaml }'), 'a.yaml': 'type: array\nitems: { $ref: "#/No" }\n' },
      'a.yaml:2 reference-unresolved /items/$ref',
    ],
    [
      'references in a circle of files',
      { 'openapi.yaml': schema('{ $ref: a.yaml }'), 'a.yaml': '$ref: b.yaml\n', 'b.yaml': '$ref: a.yaml\n' },
      'b.yaml:1 reference-circular /$ref',
    ],
    [
      'path items in a circle',
      { 'openapi.yaml': `${head}paths:\n  /x: { $ref: a.yaml }\n`, 'a.yaml': '$ref: a.yaml\n' },
      'a.yaml:1 reference-circular /$ref',
    ],
    [
      'a mapping to no file',
      {
        'openapi.yaml': schema(
          '{ oneOf: [{ type: object }], discriminator: { propertyName: k, mapping: { a: no.yaml } } }',
        ),
      },
      'openapi.yaml:6 file-missing /components/schemas/S/discriminator/mapping/a',
    ],
    [
      'broken YAML in another file',
      { 'openapi.yaml': schema('{ $ref: a.yaml }'), 'a.yaml': 'type: [\n' },
      'a.yaml:2 syntax ',
    ],
    [
      'one bad line of YAML',
      { 'openapi.yaml': `${head}paths: {}\nx-a: b: c: d\nx-b: [\nx-c: 1\n` },
      'openapi.yaml:4 syntax ',
    ],
    ['broken JSON', { 'openapi.json': '{\n  "openapi": "3.1.0",\n  "paths": {},,\n}' }, 'openapi.json:3 syntax '],
    ['two YAML documents', { 'openapi.yaml': `${head}paths: {}\n---\na: 1\n` }, 'openapi.yaml:4 syntax '],
    [
      'one key as number and as string',
      { 'openapi.yaml': `${head}paths: {}\nx-a:\n  200: a\n  '200': b\n` },
      'openapi.yaml:6 duplicate-key /x-a/200',
    ],
    ['an alias of nothing', { 'openapi.yaml': `${head}paths: {}\nx-a: *no\n` }, 'openapi.yaml:4 syntax /x-a'],
    [
      'an alias of what it stands in',
      { 'openapi.yaml': `${head}paths: {}\nx-a: &a [*a]\n` },
      'openapi.yaml:4 syntax /x-a/0/0',
    ],
    [
      'aliases without measure',
      {
        'openapi.yaml': `${head}paths: {}\nx-0: &x0 [1]\n${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `x-${n}: &x${n} [${`*x${n - 1},`.repeat(9)}]\n`).join('')}`,
      },
      'openapi.yaml:6 syntax /x-4/0/0/8',
    ],
    [
      'a version that is a number',
      { 'openapi.yaml': 'info: {}\nopenapi: 3.1\n' },
      'openapi.yaml:2 openapi-version /openapi',
    ],
  ])('%s', async (_, files, expected) => {
    const findings = await findingsOf(files);
    expect(findings.map(brief)).toEqual([expected]);
    expect(findings[0]!.severity).toBe('error');
  });

  it('of structure are all told, each at its place, whatever is wrong with references', async () => {
    const findings = await findingsOf({
      'openapi.yaml': `${head}paths:
  /x: { $ref: no.yaml }
  /y: { $ref: y.yaml }
  z: {}
security: {}
components:
  schemas: { S: { type: strin, properties: { a: { minimum: one } } } }
`,
      'y.yaml': `get:
  respones: {}
  parameters:
    - { name: a, in: nowhere, schema: { $ref: a.yaml } }
    - { in: query, schema: {} }
  responses:
    '200': {}
    other: { description: Not a status. }
`,
      'a.yaml': 'type: object\nrequired: name\n',
    });
    expect(findings.map(brief).sort()).toEqual([
      'a.yaml:2 openapi-structure /required',
      'openapi.yaml:4 file-missing /paths/~1x/$ref',
      'openapi.yaml:6 openapi-structure /paths/z',
      'openapi.yaml:7 openapi-structure /security',
      'openapi.yaml:9 openapi-structure /components/schemas/S/properties/a/minimum',
      'openapi.yaml:9 openapi-structure /components/schemas/S/type',
      'y.yaml:2 openapi-structure /get/respones',
      'y.yaml:4 openapi-structure /get/parameters/0/in',
      'y.yaml:5 openapi-structure /get/parameters/1',
      'y.yaml:7 openapi-structure /get/responses/200',
      'y.yaml:8 openapi-structure /get/responses/other',
    ]);
    expect(findings.find(({ location }) => location.pointer === '/get/parameters/1')).toMatchObject({
      message: 'This is not valid OpenAPI: `1` has no `name`.',
      hint: 'Add `name`.',
    });
  });

  it('of OpenAPI 3.0 are told like those of 3.1', async () => {
    const [finding, ...others] = await findingsOf({
      'openapi.yaml': schema('{ type: strin, nullable: true }').replace('3.1.0', '3.0.3'),
    });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: 'openapi-structure', location: { line: 6 } });
  });

  it('a missing file is told wherever it is referred to', async () => {
    const findings = await findingsOf({
      'openapi.yaml': schema('{ allOf: [{ $ref: no.yaml }, { $ref: no.yaml }] }'),
    });
    expect(findings.map(({ rule }) => rule)).toEqual(['file-missing', 'file-missing']);
  });

  it('a schema that applies itself to the same value is a warning; a recursive one is none', async () => {
    const [finding, ...others] = await findingsOf({
      'openapi.yaml': schema(
        '{ oneOf: [{ $ref: "#/components/schemas/T" }] }\n    T: { allOf: [{ $ref: "#/components/schemas/S" }], properties: { next: { $ref: "#/components/schemas/T" } } }',
      ),
    });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: 'reference-circular', severity: 'warning', location: { line: 7 } });
  });

  it('a schema that is a part of itself, whatever the value, is an error', async () => {
    const findings = await findingsOf({ 'openapi.yaml': schema('{ allOf: [{ $ref: "#/components/schemas/S" }] }') });
    expect(findings).toMatchObject([{ rule: 'reference-circular', severity: 'error', location: { line: 6 } }]);
  });

  it.each(['1e400', '-.inf', '.nan'])('%s, which JSON cannot hold, is told with its place', async (number) => {
    const findings = await findingsOf({ 'openapi.yaml': schema(`{ type: number, maximum: ${number} }`) });
    expect(findings).toMatchObject([
      { rule: 'syntax', severity: 'error', location: { line: 6, pointer: '/components/schemas/S/maximum' } },
    ]);
  });

  it('a folder and a file that are not there are told, not thrown', async () => {
    await withFolder({}, async (folder) => {
      expect((await readContract(`${folder}/nowhere`)).findings.map(brief)).toEqual(['openapi.yaml:1 file-missing ']);
      expect((await readContract(`${folder}/my.yaml`)).findings.map(brief)).toEqual(['my.yaml:1 file-missing ']);
    });
  });
});

it('extensions with values of another tool are taken out of a document of others, with a warning', async () => {
  const text = `openapi: 3.1.0
info: { title: Shop, version: '1', x-owner: team-shop, x-versions: 3, x-package: true }
x-tenant: acme
paths:
  /a: { get: { operationId: a, x-sunset: soon, responses: { '200': { description: ok } } } }
`;
  const { model, findings } = buildModel(await withFolder({ 'openapi.yaml': text }, (folder) => readContract(folder)));
  const about = findings.filter(({ rule }) => rule.startsWith('extension-'));
  expect(about.map(({ severity, location }) => `${severity} ${location.line} ${location.pointer}`)).toEqual([
    'warning 2 /info/x-owner',
    'warning 2 /info/x-versions',
    'warning 2 /info/x-package',
    'warning 3 /x-tenant',
    'warning 5 /paths/~1a/get/x-sunset',
  ]);
  expect(model?.document.info).toEqual({ title: 'Shop', version: '1', 'x-owner': 'team-shop' });
  expect(model?.document.paths?.['/a']?.get).not.toHaveProperty('x-sunset');
});
