import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { validatorsModule } from '../../../scripts/image/standalone-validators.ts';
import type { OpenApiDocument, Schema } from '../../../src/descriptor/document.ts';
import { DIALECTS, Dialect, type DialectName } from '../../../src/runtime/schema/dialect.ts';
import { disturbed, valid } from '../../support/schema-arbitrary.ts';
import { contractOf } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';

const NAMES = Object.keys(DIALECTS) as DialectName[];
const PARTS = join(import.meta.dirname, '../../../scripts/image/parts.ts');

/** What no contract of the fixtures has, and what refers to code outside of a validator. */
const RARE: Readonly<Record<string, Schema>> = {
  Lists: { type: 'array', uniqueItems: true, items: { type: ['object', 'string'], maxLength: 2 } },
  Deep: {
    type: 'object',
    properties: { deep: { $ref: '#/components/schemas/Deep' }, a: { type: 'string', default: 'x' } },
  },
  Pattern: { type: 'string', pattern: '^[\\w-]+$', minLength: 2 },
  Lenient: { type: 'string', pattern: '^\\-x' },
  Same: { const: { a: [1] } },
  Texts: { type: 'object', additionalProperties: { type: 'string', format: 'date-time' } },
};

const RARE_VALUES = [
  ...[
    [],
    ['a', 'a'],
    ['abc', 'a', 'abc'],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [1],
    {},
    null,
    5,
    '',
    'a',
    '🐈',
    'a-b',
    'a b',
    '-x',
  ],
  ...[
    { deep: { deep: { a: 1 } } },
    { deep: { deep: {} } },
    { deep: 1, x: 1 },
    { a: [1] },
    { a: [2] },
    { a: '2026-01-01' },
  ],
];

const sampleOf = (document: OpenApiDocument, schema: Schema): readonly unknown[] =>
  fc.sample(fc.oneof(valid(document, schema), disturbed(document, schema)), { seed: 7, numRuns: 25 });

const withRare = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  components: { ...document.components, schemas: { ...document.components?.schemas, ...RARE } },
});

interface Made {
  readonly validators: Readonly<Record<string, ValidateFunction>>;
}

/** As it is in an image: bundled with its parts. */
async function standaloneOf(document: OpenApiDocument, name: DialectName, schemas: readonly Schema[]) {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  const [source, file] = [join(folder, 'validators.js'), join(folder, 'bundle.mjs')];
  await writeFile(
    source,
    validatorsModule(document, name, new Map(schemas.map((schema, i) => [String(i), schema])), PARTS),
  );
  const bundle = await rolldown({ input: source, platform: 'node' });
  await bundle.write({ file });
  await bundle.close();
  const { validators } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Made;
  await rm(folder, { recursive: true });
  return Object.values(validators);
}

/** The verdict, what is wrong, and what the value has become. */
function judged(validate: ValidateFunction, value: unknown): unknown {
  const copy = structuredClone(value);
  const isValid = validate(copy);
  return { isValid, copy, errors: isValid ? [] : validate.errors };
}

it.each(oneIn(3, ['payroll', 'contracts', 'library']))(
  'validators of %s that were compiled into an image judge as those made at the start do',
  async (folder) => {
    const document = withRare((await contractOf(folder)).document);
    const names = Object.keys(document.components!.schemas!);
    const schemas = names.map((name): Schema => ({ $ref: `#/components/schemas/${name}` }));
    for (const name of NAMES) {
      const dialect = new Dialect(document, name);
      const standalone = await standaloneOf(document, name, schemas);
      schemas.forEach((schema, index) => {
        const atStart = dialect.compile(schema);
        const values = names[index]! in RARE ? RARE_VALUES : sampleOf(document, schema);
        for (const value of values)
          expect(judged(standalone[index]!, value), `${name} ${names[index]}`).toEqual(judged(atStart, value));
      });
    }
  },
);
