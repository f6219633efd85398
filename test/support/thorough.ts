/** Whether everything is tried (`npm run test:long`), or a part of it for a short run of all tests. */
export const isThorough = process.env['THOROUGH'] === 'true';

/** Of long tables, `npm run test:long` tries one case in this many: all, if left out. */
const SAMPLE = Number(process.env['SAMPLE'] ?? 1);

/** Whether long tests are to be shorter. */
export const isShortened = SAMPLE > 1;

/** The cases of a long table that are tried: one in so many of them, or more in a thorough run. */
export const oneIn = <T>(many: number, cases: readonly T[]): readonly T[] => {
  const step = isThorough ? Math.min(many, SAMPLE) : many;
  return cases.filter((_, i) => i % step === 0);
};
