import type { ChangeLog } from '../events/change-log.ts';
import type { ChangeNotification } from '../events/peers.ts';
import type { Runtime } from './runtime.ts';

/** The transaction may have been committed, and only the database's answer lost. */
export function announceUnknownOutcome(runtime: Runtime, log: ChangeLog): void {
  if (!log.isHeard) return;
  runtime.events.announceMissedEvents();
  runtime.peers?.announceMissedEvents();
}

/** The tenants that changes concern, of the resources whose rows belong to tenants. */
export function tenantsIn({ resources }: Runtime, log: ChangeLog, { stale, changes }: ChangeNotification) {
  const tenants: Record<string, readonly string[]> = {};
  const keys = new Set(stale);
  for (const { resource } of changes) keys.add(resource);
  for (const key of keys) {
    const concerned = resources.get(key)?.tenancy && log.tenantsOf(key);
    if (concerned) tenants[key] = concerned;
  }
  return tenants;
}
