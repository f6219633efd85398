import { ConfigError, meaningOf, reasonOf } from '../descriptor/config-error.ts';
import { HandlerError } from './errors/handler-error.ts';
import { ChangedMigrationError, FailedMigrationError } from './storage/migration/hand-written.ts';
import {
  ForeignTableError,
  LockedTableError,
  MigrationError,
  OlderContractError,
  PendingMigrationError,
  PooledMigrationError,
  StrangeDatabaseError,
} from './storage/migration/migration-error.ts';
import { BrokenInstancesError } from './storage/migration/old-instances.ts';
import { WorkerError } from './workers/worker-error.ts';

/** The oldest Node that a server and its tools run on. */
export const MIN_NODE_MAJOR = 24;

/** Errors that need no more explanation than their message. */
const EXPLAINED = [
  ConfigError,
  HandlerError,
  MigrationError,
  ForeignTableError,
  PendingMigrationError,
  StrangeDatabaseError,
  OlderContractError,
  LockedTableError,
  PooledMigrationError,
  BrokenInstancesError,
  ChangedMigrationError,
  FailedMigrationError,
  WorkerError,
];

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** Explains an error that the operator of the server can fix, without a stack; undefined for any other error. */
export function explainBootFault(error: unknown): string | undefined {
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message;
  const fault = error as SystemError;
  const meaning = fault.syscall === undefined ? meaningOf(fault) : undefined;
  if (meaning !== undefined) return `The database cannot be used: ${meaning} (${reasonOf(fault)}).`;
  // A worker has it from the primary, which only binds.
  if (fault.syscall === 'listen' || fault.syscall === 'bind') return explainListening(fault);
  return fault.syscall === 'getaddrinfo' ? `HOST: the host name ${fault.hostname} cannot be resolved.` : undefined;
}

function explainListening({ code, address, port }: SystemError): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Another process already listens on ${address}:${port}; set PORT to another port.`;
    case 'EACCES':
      return `PORT: listening on port ${port} is not permitted; set PORT to another port.`;
    default:
      return `HOST: this machine cannot listen on ${address} (${code}).`;
  }
}
