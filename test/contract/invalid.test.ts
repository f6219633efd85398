import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/contract/build-model.ts';
import { RULES } from '../../src/contract/rules/rules.ts';
import { readSingleFile } from '../support/single-file-contract.ts';

const root = join(import.meta.dirname, '../fixtures/invalid');
const names = readdirSync(root).sort();
const expectations = new Map(names.map((name) => [name, expected(name)]));

interface ExpectedFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly pointer: string;
  readonly message: string;
}

function expected(name: string): readonly ExpectedFinding[] {
  return JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8'));
}

describe('an invalid contract', () => {
  it.each(names)('%s gives its findings, each with its place', (name) => {
    const { findings } = buildModel(readSingleFile(join(root, name)));
    const found = findings.map(({ rule, severity, message, location: { file, line, pointer } }) => ({
      rule,
      severity,
      file,
      line,
      pointer,
      message,
    }));
    expect(found).toEqual(expectations.get(name));
  });

  it.each(names)('%s says what to write instead', (name) => {
    const { findings } = buildModel(readSingleFile(join(root, name)));
    for (const { hint } of findings) expect(hint).toMatch(/\S/);
  });

  it.each(names)('%s has a model only when nothing is an error', (name) => {
    const { model, findings } = buildModel(readSingleFile(join(root, name)));
    expect(model === undefined).toBe(findings.some(({ severity }) => severity === 'error'));
  });
});

it('every rule has a contract that breaks it', () => {
  const broken = new Set([...expectations.values()].flat().map(({ rule }) => rule));
  expect(Object.keys(RULES).filter((rule) => !broken.has(rule))).toEqual([]);
});
