import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { Modelled } from '../../../src/compiler/model/model.ts';
import { RULES } from '../../../src/compiler/rules/rules.ts';
import { brokenRules, invalidContracts, withInvalidContract } from '../../support/invalid-contracts.ts';

const names = [...invalidContracts.keys()];

/** Each is read once, whatever is asked of it. */
const built = new Map<string, Promise<Modelled>>();
const modelOf = (name: string): Promise<Modelled> => {
  const known = built.get(name) ?? withInvalidContract(name, modelContract);
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
    expect(found).toEqual(invalidContracts.get(name)!.findings);
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
  expect(RULES.map(({ id }) => id).filter((id) => !brokenRules().has(id))).toEqual([]);
});
