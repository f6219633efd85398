import { explainBootFault } from '../../runtime/boot-fault.ts';
import { CommandFailure } from './command-failure.ts';

/** Why a command ended: a message, where the caller can do something about it, else the error itself. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof CommandFailure) return error.message;
  return explainMissingPackage(error) ?? explainBootFault(error) ?? error;
}

function explainMissingPackage(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  const [, name, importer] = /^Cannot find package '([^']+)' imported from (.+)$/m.exec(message ?? '') ?? [];
  if (code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) return undefined;
  return `The package ${name} is not installed; ${importer} imports it. If npm was told to --omit it, run \`npm install\` again without that.`;
}
