import { ConfigError } from '../descriptor/config-error.ts';
import { HandlerError } from './errors/handler-error.ts';
import { ChangedMigrationError } from './storage/migration/hand-written.ts';
import { MigrationError, PendingMigrationError } from './storage/migration/migration-error.ts';

/** Errors whose message says all that there is to say. */
const EXPLAINED = [ConfigError, HandlerError, MigrationError, PendingMigrationError, ChangedMigrationError];

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** What whoever starts the server can mend, in words without a stack; undefined for any other error. */
export function explainBootFault(error: unknown): string | undefined {
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message;
  const fault = error as SystemError;
  if (fault.syscall === 'listen') return explainListening(fault);
  return fault.syscall === 'getaddrinfo' ? `HOST: nothing is known as ${fault.hostname}.` : undefined;
}

function explainListening({ code, address, port }: SystemError): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Something already listens on ${address}:${port}; set PORT to another.`;
    case 'EACCES':
      return `PORT ${port} may not be listened on; set PORT to another.`;
    default:
      return `HOST: this machine cannot listen on ${address} (${code}).`;
  }
}
