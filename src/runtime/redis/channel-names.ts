/** The channels of servers with one prefix. */
export interface ChannelNames {
  /** All servers hear it: who is there, and who could not publish. */
  readonly peers: string;
  /** The one channel of everything, of servers of the previous release. */
  readonly everything: string;
  /** Changes of one resource, and of the lists that show it; of one tenant, or of all. */
  of(resource: string, tenant?: string): string;
}

/** `prefix:peers`, `prefix:news` and `prefix:TENANT:RESOURCE`, where `-` stands for all tenants. */
export const channelNames = (prefix: string): ChannelNames => ({
  peers: `${prefix}:peers`,
  everything: `${prefix}:news`,
  of: (resource, tenant = '-') => `${prefix}:${tenant}:${resource}`,
});
