import { describe, expect, it } from 'vitest';
import { isConflict, storeError } from '../../../../src/runtime/storage/postgres/postgres-errors.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code, severity: 'ERROR' });
const uniques = new Map([['beds_garden_id_code_key', ['gardenId', 'code']]]);

/** As Citus reports what has happened on another node. */
describe('an error of a node', () => {
  it('names the unique key by its message, which has the number of a shard', () => {
    const error = failure('23505', 'duplicate key value violates unique constraint "beds_garden_id_code_key_102008"');
    expect(storeError(error, (key) => uniques.get(key) ?? [])).toMatchObject({
      failure: { kind: 'unique', properties: ['gardenId', 'code'] },
    });
  });

  it('is a conflict if the node could not commit', () => {
    const message = 'could not commit transaction for shard 102101 on at least one active node';
    expect(isConflict(failure('XX000', message))).toBe(true);
    expect(isConflict(failure('XX000', 'cache lookup failed for relation 7'))).toBe(false);
  });
});
