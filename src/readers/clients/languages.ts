/** The languages of clients that the command writes; TypeScript's is part of `generated/`. */
export const LANGUAGES = ['python', 'go', 'java'] as const;
export type Language = (typeof LANGUAGES)[number];
