import { Validator } from '@seriousme/openapi-schema-validator';
import fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { glueDocument, loadGlue } from '../../../src/runtime/rest/glue.ts';
import { contractOf } from '../../support/service.ts';

const CONTRACTS = ['contracts', 'library', 'tracker', 'custom', 'payroll'];

describe('glue', () => {
  it.each(CONTRACTS)('gets operations of %s that its own validator finds valid', async (name) => {
    const { rest } = await contractOf(name);
    expect(await new Validator().validate(glueDocument(rest.operations))).toEqual({ valid: true });
  });

  it('registers each operation, and validates nothing', async () => {
    const { rest } = await contractOf('contracts');
    const compiles = vi.spyOn(Validator.prototype, 'getAjvValidator' as never);
    const app = fastify();
    const names: string[] = [];
    const operationResolver = (operationId: string) => {
      names.push(operationId);
      return () => undefined;
    };
    await app.register(await loadGlue(), { specification: glueDocument(rest.operations), operationResolver });
    expect(names.sort()).toEqual(rest.operations.map(({ operationId }) => operationId).sort());
    expect(compiles).not.toHaveBeenCalled();
    await app.close();
  });

  it('has none but its own imports replaced', async () => {
    const [, { Validator: now }] = await Promise.all([loadGlue(), import('@seriousme/openapi-schema-validator')]);
    expect(now).toBe(Validator);
  });
});
