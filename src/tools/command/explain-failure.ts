import { explainBootFault } from '../../runtime/boot-fault.ts';
import { UsageError } from './start-options.ts';

/** What a command tells of why it ended: words, where the one who called it can do something, else the error itself. */
export function explainFailure(error: unknown, usage = ''): unknown {
  if (error instanceof UsageError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${message}\n\n${usage}`;
  return explainBootFault(error) ?? error;
}
