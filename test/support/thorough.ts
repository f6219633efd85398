/** Whether everything is tried (`npm run test:long`), or a part of it for a short run of all tests. */
export const isThorough = process.env['THOROUGH'] === 'true';

/** All cases of a long table, or one in so many of them. */
export const oneIn = <T>(many: number, cases: readonly T[]): readonly T[] =>
  isThorough ? cases : cases.filter((_, i) => i % many === 0);
