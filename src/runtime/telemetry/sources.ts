/** Numbers of parts of a server, which are read when somebody asks for metrics. */
export interface Sources {
  readonly activeRequests: () => number;
  /** Connections that run transactions; undefined where the database has no connections. */
  readonly connections?: (() => ConnectionCounts) | undefined;
  /** Undefined without a replica. */
  readonly replica?: (() => ReplicaState) | undefined;
  /** Undefined without Redis. */
  readonly isRedisUp?: (() => boolean) | undefined;
  readonly cachedLists: { readonly hits: number; readonly misses: number };
  readonly subscriptions: SubscriptionCounts;
  /** Those of the database; undefined on a server without jobs. */
  readonly jobs?: (() => Promise<JobCounts>) | undefined;
}

interface JobCounts {
  readonly isHeld: boolean;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** For how long the first one has been due. */
  readonly oldestMs: number;
}

interface ReplicaState {
  /** It keeps up, and answers reads. */
  readonly isServing: boolean;
  /** Reads that it has answered. */
  readonly replica: number;
  /** Reads that the primary has answered. */
  readonly primary: number;
  /** Reads, of either, while the primary did not say how far it was. */
  readonly unsure: number;
}

export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
  /** Tables whose statements stall. */
  readonly locked: number;
}

/** Counted where subscriptions are served. */
export interface SubscriptionCounts {
  open: number;
  /** Reports of missed events that subscribers have got. */
  missed: number;
}
