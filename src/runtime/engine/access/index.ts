export { filterAt } from './find.ts';
export { type Verdict, verdictsOn } from './verdicts.ts';
