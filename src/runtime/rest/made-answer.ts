import type { IncomingHttpHeaders } from 'node:http';
import { formOfText } from '../engine/resource/row-codec.ts';
import { type Answer, entityTagOfText } from './answer.ts';
import { checkIfMatch, isNotModified } from './preconditions.ts';

// Code that makes other answers of those of actions: steps of old versions, and replaced routes.

/** An answer whose entity tag, if it has one, names the text that code has made. */
export function taggedByText(answer: Answer, text: string): Answer {
  const { etag } = answer.headers;
  if (typeof etag !== 'string') return answer;
  const made = etag.includes('.') ? etag.replace(/\..*/, `.${formOfText(text)}"`) : entityTagOfText(text);
  return { ...answer, headers: { ...answer.headers, etag: made } };
}

/** An answer that code has made of another: if it has left its text as it was, its tag is the same. */
export const taggedByCode = (answer: Answer, given: Answer | undefined): Answer =>
  typeof answer.payload !== 'string' || answer.payload === given?.payload
    ? answer
    : taggedByText(answer, answer.payload);

/** The fields of a read without its conditions, which only the answer that is made in the end can meet. */
export function unconditional(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'if-match': _, 'if-none-match': __, ...rest } = headers;
  return rest;
}

/** The answer of a read, or 304 if the caller has it. Throws what `checkIfMatch` throws. */
export function ifModified(answer: Answer, headers: IncomingHttpHeaders): Answer {
  const { 'content-type': _, ...fields } = answer.headers;
  const { etag } = fields;
  if (answer.status !== 200 || typeof etag !== 'string') return answer;
  checkIfMatch(headers, etag);
  return isNotModified(headers, etag) ? { status: 304, headers: fields } : answer;
}
