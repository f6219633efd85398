import type { Response } from '../../descriptor/document.ts';
import { GRAPHQL_ERROR_CODES, standardErrors } from '../../descriptor/standard-errors.ts';
import { allOf, oneOf, suggestion } from '../findings/wording.ts';
import { resolveReference } from '../json-schema/references.ts';
import type { ContractDraft } from '../model/draft.ts';
import { declaredErrors, ERROR_CODES, errorCatalogue, listedCodes } from '../model/errors/catalogue.ts';
import { namedResponses } from '../model/responses.ts';
import { namedSchemas } from '../model/schemas.ts';
import { missingProblemMembers, problemNames } from '../read/complete/problem-schemas.ts';
import { type Check, severityIn } from './rule.ts';

/** `ErrorCode` describes every code. */
export const errorCodeWords: Check = function* (draft) {
  const schema = namedSchemas(draft.document)['ErrorCode'];
  if (typeof schema !== 'object' || declaredErrors(draft.document) !== undefined) return;
  yield {
    severity: severityIn(draft),
    message: '`ErrorCode` has no `x-error-codes`, so its codes have no status and no title.',
    hint: 'Add `x-error-codes: { NOT_FOUND: { status: 404, title: Not found, description: There is no such resource., retryable: false }, … }` with a key for each value of the enum.',
    node: schema,
    key: 'enum',
  };
};

/** The enum and `x-error-codes` have the same codes. */
export const errorCodeKeys: Check = function* ({ document }) {
  const declared = declaredErrors(document);
  if (declared === undefined) return;
  const described = Object.keys(declared.descriptions);
  for (const code of declared.codes.filter((one) => !described.includes(one))) {
    yield {
      severity: 'error',
      message: `\`ErrorCode\` lists \`${code}\`, which \`x-error-codes\` does not describe.`,
      hint: `Add \`${code}: { status: …, title: …, description: …, retryable: false }\` to \`x-error-codes\`.`,
      node: declared.schema,
      key: ERROR_CODES,
    };
  }
  for (const code of described.filter((one) => !declared.codes.includes(one))) {
    yield {
      severity: 'error',
      message: `\`x-error-codes\` describes \`${code}\`, which the enum of \`ErrorCode\` does not list.`,
      hint: `Add \`${code}\` to the enum, or remove it from \`x-error-codes\`.`,
      node: declared.descriptions,
      key: code,
    };
  }
};

/** `ErrorCode` includes the standard codes, because the server itself returns them. */
export const errorCodeStandard: Check = function* ({ document, source }) {
  const declared = declaredErrors(document);
  for (const [code, { status, title, description, retryable }] of declared ? Object.entries(standardErrors) : []) {
    if (declared!.codes.includes(code) || (GRAPHQL_ERROR_CODES.has(code) && !source.sdl)) continue;
    yield {
      severity: 'error',
      message: `\`ErrorCode\` does not list \`${code}\`, which the server itself may return.`,
      hint: `Add it to the enum and to \`x-error-codes\`: \`${code}: { status: ${status}, title: ${title}, description: "${description}", retryable: ${retryable} }\`.`,
      node: declared!.schema,
      key: 'enum',
    };
  }
};

/** A response lists codes of the catalogue that have its status. */
export const responseCodes: Check = function* (draft) {
  const errors = errorCatalogue(draft.document);
  for (const { response, statuses } of responsesWithCodes(draft)) {
    for (const code of listedCodes(response)) {
      const place = { node: response, key: ERROR_CODES };
      const known = errors[code];
      const wrong = known && [...statuses].find((status) => status !== String(known.status));
      if (known === undefined) {
        yield {
          severity: 'error',
          message: `A response lists the code \`${code}\`, which ${declaredErrors(draft.document) ? '`ErrorCode` does not list' : 'is not a standard code'}.`,
          hint: `${suggestion(code, Object.keys(errors))} Declare your own codes in \`components.schemas.ErrorCode\`.`,
          ...place,
        };
      } else if (wrong !== undefined) {
        yield {
          severity: 'error',
          message: `The response \`${wrong}\` lists the code \`${code}\`, whose status is ${known.status}.`,
          hint: `List \`${code}\` in the response \`'${known.status}'\`.`,
          ...place,
        };
      }
    }
  }
};

/** The author's `Problem` has all properties that the server sends. */
export const problemShape: Check = function* (draft) {
  const problem = namedSchemas(draft.document)['Problem'];
  const missing = missingProblemMembers(draft.document);
  if (typeof problem !== 'object' || missing.length === 0) return;
  const { problem: other } = problemNames(draft.document);
  yield {
    severity: declaredErrors(draft.document) === undefined ? 'warning' : 'error',
    message: `\`Problem\` has no ${oneOf(missing)}, which the server sends, so \`${other}\` describes its errors instead.`,
    hint: `Add ${allOf(missing)} to its properties, or remove \`Problem\`: it is added automatically.`,
    node: problem,
    key: 'properties',
  };
};

/** Responses that list codes, each with the statuses it is used for. */
function responsesWithCodes({ document, operations }: ContractDraft) {
  const statuses = new Map<Response, Set<string>>();
  for (const declared of Object.values(namedResponses(document))) {
    const response = resolveReference<Response>(document, declared);
    if (response !== undefined) statuses.set(response, new Set());
  }
  for (const { responses } of operations)
    for (const [status, response] of responses)
      statuses.set(response, (statuses.get(response) ?? new Set()).add(status));
  return [...statuses].map(([response, used]) => ({ response, statuses: used }));
}
