import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Listed } from '../interface/engine.ts';

// What V8 keeps beside the characters of texts: of a page its plan, its cursors, its reply and its place in the cache.
const PAGE_BYTES = 2_000;
const ROW_BYTES = 80;
const VALUE_BYTES = 26;
/** Of the name of a property in a reply, and what stands around it. */
const LABEL_BYTES = 16;

/** Of the key, the rows, and the text of a reply that is kept with them; of a page that is being read, a guess. */
export function bytesOf(key: string, page: MaybePromise<Listed>): number {
  let bytes = PAGE_BYTES + widthOf(key) * key.length;
  if (page instanceof Promise) return bytes;
  if ('groups' in page) return bytes + VALUE_BYTES * JSON.stringify(page.groups).length;
  let [replyLength, replyWidth] = [0, 1];
  for (const { row } of page.items) {
    bytes += ROW_BYTES;
    for (const value of row) {
      const text = typeof value === 'string' ? value : '';
      const width = widthOf(text);
      bytes += VALUE_BYTES + width * text.length;
      replyLength += LABEL_BYTES + text.length;
      replyWidth = Math.max(replyWidth, width);
    }
  }
  return bytes + replyWidth * replyLength;
}

/** Bytes of a character: one beyond Latin-1 makes all of its text twice as large. */
const widthOf = (text: string): number => (BEYOND_LATIN_1.test(text) ? 2 : 1);
const BEYOND_LATIN_1 = /[^\0-\xff]/;
