import type { ContractModel } from '../model/model.ts';

/** `openapi.json`: the bundled and completed document. */
export const emitDocument = ({ document }: ContractModel): string => `${JSON.stringify(document, undefined, 2)}\n`;
