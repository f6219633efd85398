export { codeFrame } from './code-frame.ts';
export { type Finding, isError, type Location, type Reliance } from './finding.ts';
export { applyFixes, type Fix } from './fix.ts';
export { formatFindings, isSummary, MAX_WARNINGS } from './report.ts';
export { allOf, closest, oneOf, some, suggestion } from './wording.ts';
