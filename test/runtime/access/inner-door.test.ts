import { expect, it } from 'vitest';
import type { Access } from '../../../src/descriptor/access.ts';
import { createDoor } from '../../../src/runtime/engine/access/door.ts';
import { innerDoor } from '../../../src/runtime/engine/access/inner-door.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };
const anyone: Access = { anyOf: [] };

it.each(['203.0.113.2', '2001:db8::1'])(
  'a caller without a token, of %s, has the same turns within an operation',
  (ip) => {
    const caller = createDoor(anyone)(undefined, { id: '1', log, ip });
    expect(caller.turn).toContain('address ');
    expect(innerDoor(anyone)(caller)).toMatchObject({ turn: caller.turn, requestId: '1' });
  },
);

it('a caller whom no door has admitted reaches nothing within an operation', () => {
  expect(() => innerDoor(anyone)({ principal: undefined, requestId: '1', log })).toThrow('unauthorized');
});
