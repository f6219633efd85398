import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../errors/api-error.ts';
import type { StoredValue } from '../../storage/store.ts';

const MAC_BYTES = 16;

/** Signs the position in a list where the next page begins, so that clients can neither forge nor alter cursors. */
export interface CursorCodec {
  /** `query` identifies the list, its filters, its order and whose rows it shows: a cursor is valid for no other. */
  encode(position: readonly StoredValue[], query: string): string;
  /** Throws `INVALID_CURSOR`. */
  decode(cursor: string, query: string): readonly StoredValue[];
}

export function createCursorCodec(key: Uint8Array): CursorCodec {
  const secret = createSecretKey(key);
  const mac = (payload: Buffer, query: string): Buffer =>
    createHmac('sha256', secret).update(`${query}\0`).update(payload).digest().subarray(0, MAC_BYTES);

  return {
    encode(position, query) {
      const payload = Buffer.from(JSON.stringify(position));
      return Buffer.concat([mac(payload, query), payload]).toString('base64url');
    },
    decode(cursor, query) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding skips characters outside the alphabet; only the spelling that was issued is accepted.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) throw invalidCursor();
      const payload = bytes.subarray(MAC_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(payload, query))) throw invalidCursor();
      return JSON.parse(payload.toString()) as StoredValue[];
    },
  };
}

/** Cursors are for the list that issued them. */
export function invalidCursor(): ApiError {
  const detail = 'The cursor was not issued for this list with these filters and this order.';
  return new ApiError('INVALID_CURSOR', { detail, errors: [{ parameter: 'cursor', detail }] });
}
