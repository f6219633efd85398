import type { JobCounts } from '../storage/jobs.ts';
import type { Store } from '../storage/store.ts';

/** Numbers of parts of a server, which are read when somebody asks for metrics. */
export interface Sources {
  readonly activeRequests: () => number;
  readonly connections?: Store['connections'];
  readonly replica?: Store['replica'];
  /** Undefined without Redis. */
  readonly isRedisUp?: (() => boolean) | undefined;
  readonly cachedLists: { readonly hits: number; readonly misses: number };
  readonly subscriptions: SubscriptionCounts;
  readonly jobs: () => Promise<JobCounts>;
}

/** Counted where subscriptions are served. */
export interface SubscriptionCounts {
  open: number;
  /** Reports of missed events that subscribers have got. */
  missed: number;
}
