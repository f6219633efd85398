import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where generators are kept from one run to the next: the user's cache, outside of any project. */
export const toolCache = (name: string): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'lockstep', 'clients', name);
