import type { ContractModel } from '../model/model.ts';
import { printed } from './print.ts';

/** `openapi.json`: the bundled and completed document. */
export const emitDocument = ({ document }: ContractModel): string => `${JSON.stringify(document, undefined, 2)}\n`;

/** `rest.json`: what the server reads of it. Each parameter, body and response is on a line of its own. */
export const emitRest = ({ rest }: ContractModel): string => `${printed(rest, 4)}\n`;
