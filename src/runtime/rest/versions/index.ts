export type { DownStep, QueryText, StepContext } from './version.ts';
