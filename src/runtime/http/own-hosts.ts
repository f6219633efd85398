import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Whether the `Host` field of a request names this machine. */
export type IsOwnHost = (host: string) => boolean;

/**
 * Recognises names that no stranger's name server can point at this machine: addresses, `localhost` and what is below it
 * (RFC 6761, 6.3), the machine's own name, and the host of `publicUrl`. A page that was loaded by any other name could read
 * what a development server gives away, by DNS rebinding.
 */
export function ownHosts(publicUrl: string | undefined): IsOwnHost {
  const names = new Set(['localhost', hostname().toLowerCase(), publicUrl && new URL(publicUrl).hostname]);
  return (host) => {
    const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
    return names.has(name) || name.endsWith('.localhost') || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  };
}
