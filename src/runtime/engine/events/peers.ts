import type { RowChange } from './row-change.ts';

/** What a transaction did, as plain JSON: it travels to other servers. */
export interface News {
  /** Keys of the resources whose lists may show another thing now. */
  readonly stale: readonly string[];
  readonly changes: readonly RowChange[];
}

export interface PeerListener {
  news(news: News): void;
  /** News may have been missed. */
  gap(): void;
}

/** The other servers of the same rows. What is told may be lost, but never unnoticed. */
export interface Peers {
  /** Tells the others. Never fails: what they miss is a gap to them. */
  tell(news: News): void;
  /** Tells the others that something may have happened which nobody can tell. */
  gap(): void;
  /** Whom to tell what the others tell. */
  listen(listener: PeerListener): void;
  /** Another number whenever news may have been missed; undefined while the others cannot be heard. */
  readonly epoch: number | undefined;
}
