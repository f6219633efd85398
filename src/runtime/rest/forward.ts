import type { Answer } from './answer.ts';
import type { RestOperation } from './operation.ts';
import type { Exchange } from './route.ts';

/** Answers an operation elsewhere: the request has been read, the answer is sent as it stands. */
export type Forward = (operation: RestOperation, exchange: Exchange) => Promise<Answer>;
