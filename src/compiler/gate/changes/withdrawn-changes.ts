import type { OpenApiDocument, Operation, Response } from '../../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../../descriptor/error.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { resolveReference } from '../../json-schema/references.ts';
import { listedCodes } from '../../model/errors/catalogue.ts';
import { collectOperations } from '../../model/operations.ts';
import { isImpliedHeader } from '../../read/complete/implied-headers.ts';
import { isImpliedSuccess } from '../../read/complete/success-responses.ts';
import type { Change } from './change.ts';
import type { Edition } from './edition.ts';

/**
 * Statuses and header fields that the released contract wrote, and this one no longer writes, where completion puts them
 * back. What was never written goes without saying; what was written and is taken back is a promise that somebody wants to
 * be rid of, although the server still keeps it.
 */
export function withdrawnChanges(released: Edition, current: Edition): readonly Change[] {
  const written = new Map(collectOperations(current.written).map((one) => [one.operationId, one.node]));
  return released.model.operations.flatMap(({ operationId, node }) => {
    const own = written.get(operationId);
    return own ? withdrawnFrom({ operationId, old: node, own, released, current }) : [];
  });
}

interface Pair {
  readonly operationId: string;
  /** As released, completed. */
  readonly old: Operation;
  /** As it is written now. */
  readonly own: Operation;
  readonly released: Edition;
  readonly current: Edition;
}

function withdrawnFrom(pair: Pair): readonly Change[] {
  const { operationId, old, own, released, current } = pair;
  const completed = operationWithId(current.model.operations, operationId);
  const pointer = childPointer(childPointer(childPointer('/paths', completed.path), completed.method), 'responses');
  const change = (subject: string, rule: string, what: string, at: string): Change => ({
    impact: 'major',
    area: 'rest',
    rule,
    subject: `${operationId}.${subject}`,
    facts: {},
    message: `${what} of operation \`${operationId}\` is no longer declared.`,
    location: current.at(at),
  });
  return Object.entries(old.responses ?? {}).flatMap(([status, declared]): Change[] => {
    const before = resolveReference<Response>(released.model.document, declared);
    const now = responseAt(current.model.document, completed.node, status);
    // What is gone altogether is found without this.
    if (!before || !now) return [];
    const at = childPointer(pointer, status);
    if (own.responses?.[status] === undefined)
      return isImplied(before, released.model.errors)
        ? []
        : [change(status, 'response-withdrawn', `Response ${status}`, at)];
    const written = responseAt(current.written, own, status);
    return writtenHeaders(released.model.document, before)
      .filter((name) => has(now, name) && !(written && has(written, name)))
      .map((name) =>
        change(`${status}.${name}`, 'response-header-withdrawn', `Header \`${name}\` of response ${status}`, at),
      );
  });
}

const responseAt = (document: OpenApiDocument, { responses }: Operation, status: string): Response | undefined =>
  resolveReference<Response>(document, responses?.[status]);

const has = ({ headers = {} }: Response, name: string): boolean =>
  Object.keys(headers).some((one) => one.toLowerCase() === name.toLowerCase());

function writtenHeaders(document: OpenApiDocument, { headers = {} }: Response): readonly string[] {
  return Object.entries(headers)
    .filter(([, header]) => !isImpliedHeader(resolveReference(document, header as object)))
    .map(([name]) => name);
}

/** An error response that was completed has the words of its codes, one after the other. */
function isImplied(response: Response, errors: ErrorCatalogue): boolean {
  const codes = listedCodes(response);
  const words = codes.map((code) => errors[code]?.description).join(' ');
  return isImpliedSuccess(response) || (codes.length > 0 && response.description === words);
}
