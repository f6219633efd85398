export type { Base } from './baseline.ts';
export { readEdition } from './changes/edition.ts';
export { type GateOptions, judged, notRun, type Result, runGate, type Verdict } from './gate.ts';
export { releaseContract } from './release.ts';
