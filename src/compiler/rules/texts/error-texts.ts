import type { RuleTable } from './rule-table.ts';

/** Rules of the catalogue of errors, in the order in which they are checked. */
export const ERROR_TEXTS: RuleTable = {
  'error-code-words': [
    '`ErrorCode` describes every code.',
    '`x-error-codes` gives each its status, title, description, and whether it is retryable.',
  ],
  'error-code-keys': ['The enum of `ErrorCode` and its `x-error-codes` have the same codes.', 'Add the code to both.'],
  'error-code-standard': [
    '`ErrorCode` includes the standard codes.',
    'The server itself answers with them; docs/contract.md lists them.',
  ],
  'response-codes': [
    'A response lists codes of the catalogue that have its status.',
    'Move the code to the response of its status.',
  ],
  'problem-shape': [
    'A `Problem` of your own has all members that the server sends.',
    'Without them, `ServerProblem` describes the errors instead.',
  ],
};
