import type { Response } from '../../descriptor/document.ts';
import { totalsOf } from '../../descriptor/resource.ts';
import { GRAPHQL_ERROR_CODES, standardErrors } from '../../descriptor/standard-errors.ts';
import { allOf, oneOf, suggestion } from '../findings/wording.ts';
import { resolveReference } from '../json-schema/references.ts';
import type { ContractDraft, FurtherDraft } from '../model/draft.ts';
import { declaredErrors, ERROR_CODES, errorCatalogue, isStandardIn, listedCodes } from '../model/errors/catalogue.ts';
import { namedResponses } from '../model/responses.ts';
import { schemaNamed } from '../model/schemas.ts';
import { missingProblemMembers, problemNames } from '../read/complete/problem-schemas.ts';
import { rule } from './rule.ts';
import { theDraft } from './subjects.ts';

export const errorRules = [
  rule({
    id: 'error-codes',
    summary: '`ErrorCode` lists the standard codes and your own, and its `x-error-codes` describes each.',
    advice:
      'Each has a status, a title, a description, and whether it is retryable. The server itself returns the standard codes, which docs/reference/errors.md lists.',
    each: theDraft,
    *check({ document, source, resources }) {
      const declared = declaredErrors(document);
      const hasTotals = resources.some((one) => totalsOf<FurtherDraft>(one).length > 0);
      const schema = schemaNamed(document, 'ErrorCode');
      if (!declared) {
        if (typeof schema === 'object')
          yield {
            message: '`ErrorCode` has no `x-error-codes`, so its codes have no status and no title.',
            hint: 'Add `x-error-codes: { NOT_FOUND: { status: 404, title: Not found, description: The resource does not exist., retryable: false }, … }` with a key for each value of the enum.',
            node: schema,
            key: 'enum',
          };
        return;
      }
      const described = Object.keys(declared.descriptions);
      for (const code of declared.codes.filter((one) => !described.includes(one)))
        yield {
          message: `\`ErrorCode\` lists \`${code}\`, which \`x-error-codes\` does not describe.`,
          hint: `Add \`${code}: { status: …, title: …, description: …, retryable: false }\` to \`x-error-codes\`.`,
          node: declared.schema,
          key: ERROR_CODES,
        };
      for (const code of described.filter((one) => !declared.codes.includes(one)))
        yield {
          message: `\`x-error-codes\` describes \`${code}\`, which the enum of \`ErrorCode\` does not list.`,
          hint: `Add \`${code}\` to the enum, or remove it from \`x-error-codes\`.`,
          node: declared.descriptions,
          key: code,
        };
      for (const [code, { status, title, description, retryable }] of Object.entries(standardErrors)) {
        const isOfRest = source.sdl !== undefined || (hasTotals && code === 'LIMIT_EXCEEDED');
        const isMet = isStandardIn(document, code) && (isOfRest || !GRAPHQL_ERROR_CODES.has(code));
        if (declared.codes.includes(code) || !isMet) continue;
        yield {
          message: `\`ErrorCode\` does not list \`${code}\`, which the server itself may return.`,
          hint: `Add it to the enum and to \`x-error-codes\`: \`${code}: { status: ${status}, title: ${title}, description: "${description}", retryable: ${retryable} }\`.`,
          node: declared.schema,
          key: 'enum',
        };
      }
    },
  }),
  rule({
    id: 'response-codes',
    summary: 'A response lists codes of the catalogue that have its status.',
    advice: 'Move the code to the response of its status.',
    each: responsesWithCodes,
    *check([response, statuses], { document }) {
      const codes = listedCodes(response);
      const errors = codes.length > 0 ? errorCatalogue(document) : {};
      const place = { node: response, key: ERROR_CODES };
      for (const code of codes) {
        const known = errors[code];
        const wrong = known && [...statuses].find((status) => status !== String(known.status));
        if (!known)
          yield {
            message: `A response lists the code \`${code}\`, which ${declaredErrors(document) ? '`ErrorCode` does not list' : 'is not a standard code'}.`,
            hint: `${suggestion(code, Object.keys(errors))} Declare your own codes in \`components.schemas.ErrorCode\`.`,
            ...place,
          };
        else if (wrong !== undefined)
          yield {
            message: `The response \`${wrong}\` lists the code \`${code}\`, whose status is ${known.status}.`,
            hint: `List \`${code}\` in the response \`'${known.status}'\`.`,
            ...place,
          };
      }
    },
  }),
  rule({
    id: 'problem-shape',
    summary: 'Your own `Problem` has all members that the server sends.',
    advice: 'Otherwise `ServerProblem` describes the errors.',
    each: theDraft,
    check({ document }) {
      const problem = schemaNamed(document, 'Problem');
      const missing = missingProblemMembers(document);
      if (typeof problem !== 'object' || missing.length === 0) return undefined;
      return {
        severity: declaredErrors(document) === undefined ? 'warning' : 'error',
        message: `\`Problem\` has no ${oneOf(missing)}, which the server sends, so \`${problemNames(document).problem}\` describes its errors instead.`,
        hint: `Add ${allOf(missing)} to its properties, or remove \`Problem\`: it is added automatically.`,
        node: problem,
        key: 'properties',
      };
    },
  }),
];

/** Responses that list codes, each with the statuses it is used for. */
function responsesWithCodes({ document, operations }: ContractDraft): Iterable<[Response, ReadonlySet<string>]> {
  const statuses = new Map<Response, Set<string>>();
  for (const declared of Object.values(namedResponses(document))) {
    const response = resolveReference<Response>(document, declared);
    if (response) statuses.set(response, new Set());
  }
  for (const { responses } of operations)
    for (const [status, response] of responses)
      statuses.set(response, (statuses.get(response) ?? new Set()).add(status));
  return statuses;
}
