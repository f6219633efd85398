export { pagePolicy, policyElement, scriptHashes } from './page-policy.ts';
export { createProblemRenderer } from './problem.ts';
