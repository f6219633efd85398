import { type Logger, pino } from 'pino';

/** A log, and its lines as they are written. */
export function pinoLines(level: string): { readonly log: Logger; readonly entries: Record<string, unknown>[] } {
  const entries: Record<string, unknown>[] = [];
  return { log: pino({ level }, { write: (line: string) => void entries.push(JSON.parse(line)) }), entries };
}
