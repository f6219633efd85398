import type { RuleTable } from '../../findings/rule-text.ts';

/** Rules of `access.yaml`, a contract's own tests of who may do what. */
export const ACCESS_TEST_TEXTS: RuleTable = {
  'access-test-shape': [
    '`access.yaml` has callers, rows and tests.',
    'Its JSON Schema is in the generated files, as `editor/access.json`.',
  ],
  'access-test-name': [
    'Tests of access name callers, actions, rows and properties that exist.',
    'Rows and callers are those of the file, resources and actions those of the contract.',
  ],
  'access-test-row': [
    'The rows of `access.yaml` fit their schemas.',
    'What is left out is made up; what is given must be valid, and a required reference needs a row to refer to.',
  ],
  'access-test': [
    'Callers may do what the tests of `access.yaml` say, over every protocol, and no more.',
    'Correct the rules, or the test. `npm run explain` says what decides, and why.',
  ],
  'access-test-refused': [
    'Each action that `access.yaml` tests succeeds for one of its callers, with one of its rows.',
    'Add a caller that may, with the rows that it needs: where nothing can succeed, a refusal proves nothing.',
  ],
};
