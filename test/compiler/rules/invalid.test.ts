import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import type { Modelled } from '../../../src/compiler/model/model.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { RULES } from '../../../src/compiler/rules/rules.ts';

const root = join(import.meta.dirname, '../../fixtures/invalid');
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

/** Each is read once, whatever is asked of it. */
const built = new Map<string, Promise<Modelled>>();
const modelOf = (name: string): Promise<Modelled> => {
  const known = built.get(name) ?? readContract(join(root, name)).then(buildModel);
  built.set(name, known);
  return known;
};

describe('an invalid contract', () => {
  it.each(names)('%s gives its findings, each with its place', async (name) => {
    const { findings } = await modelOf(name);
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

  it.each(names)('%s says what to write instead', async (name) => {
    const { findings } = await modelOf(name);
    for (const { hint } of findings) expect(hint).toMatch(/\S/);
  });

  it.each(names)('%s has a model only when nothing is an error', async (name) => {
    const { model, findings } = await modelOf(name);
    expect(model === undefined).toBe(findings.some(({ severity }) => severity === 'error'));
  });
});

it('every rule has a contract that breaks it', () => {
  const broken = new Set([...expectations.values()].flat().map(({ rule }) => rule));
  expect(Object.keys(RULES).filter((rule) => !broken.has(rule))).toEqual([]);
});
