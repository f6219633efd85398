import type { RuleTable } from '../../findings/rule-text.ts';

/** Rules of `access.yaml`, a contract's own tests of who may do what. */
export const ACCESS_TEST_TEXTS: RuleTable = {
  'access-test-shape': [
    '`access.yaml` has callers, rows and tests.',
    'The generated files have its JSON Schema, `editor/access.json`.',
  ],
  'access-test-name': [
    'Tests of access name callers, actions, rows and properties that exist.',
    'The file defines rows and callers; the contract defines resources and actions.',
  ],
  'access-test-row': [
    'The rows of `access.yaml` fit their schemas.',
    'Omitted values are generated. Given values must be valid, and a required reference needs a row as its target.',
  ],
  'access-test': [
    'Over every protocol, callers may do exactly what the tests of `access.yaml` expect.',
    'Correct the rules or the test. `npm run explain` shows the deciding rule and the reason.',
  ],
  'access-test-refused': [
    'Each action that `access.yaml` tests succeeds for one of its callers, with one of its rows.',
    'Add a caller that may, with the rows that it needs. If no action can succeed, a refusal proves nothing.',
  ],
};
