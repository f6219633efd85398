import type { OperationDraft } from '../model/draft.ts';

/** Whether an operation may be called without credentials. */
export const isAnonymous = ({ access }: OperationDraft): boolean =>
  access.anyOf.length === 0 || access.anyOf.some(({ schemes }) => schemes.length === 0);
