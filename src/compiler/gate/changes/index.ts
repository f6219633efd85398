export { breakingRule, type Change, type Facts } from './change.ts';
export { hasSentence, sentenceOf } from './change-sentences.ts';
export type { Edition } from './edition.ts';
export { type Release, readReleases } from './releases.ts';
export { type Touched, touchedIn } from './touched.ts';
export type { WaivedChange } from './waivers.ts';
