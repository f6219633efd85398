import type { Resource } from '../resource/resource.ts';

/** How often a row that others change is read anew before it is locked. */
const MAX_UNLOCKED = 3;

/** A row that was read without its lock has been changed since. */
export class RowChanged extends Error {}

/** Whether nothing but a row itself decides about a change of it. */
export const isUnruled = ({ access, fields, bound }: Resource): boolean => !access && !fields && bound.length === 0;

/** Changes a row without its lock, and with it where others change it as well. */
export async function unlocked<T>(change: () => Promise<T>, locked: () => Promise<T>): Promise<T> {
  for (let i = 0; i < MAX_UNLOCKED; i++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof RowChanged)) throw error;
    }
  }
  return locked();
}
