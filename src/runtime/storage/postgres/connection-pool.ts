import { StoreError } from '../store-error.ts';
import { type Answer, Link, type LinkOptions } from './link.ts';

export interface LinksOptions extends Omit<LinkOptions, 'nameOf'> {
  /** Connections that share all reads. */
  readonly readers: number;
  /** Connections that run one transaction at a time each. */
  readonly writers: number;
}

/** More prepared statements than the clients of a contract use in practice; each takes memory of the server. */
const MAX_PREPARED = 500;
/** Transactions that may wait for a connection; more would wait in vain. */
const MAX_WAITING = 1_000;
const CHECK_MS = 100;
/** What the server needs to cancel a statement and to say so. */
const GRACE_MS = 200;

interface Waiting {
  readonly resolve: (link: Link) => void;
  readonly reject: (error: unknown) => void;
  readonly until: number;
}

/** The connections of one server to its database. */
export class Links {
  readonly #readers: readonly Link[];
  readonly #writers: readonly Link[];
  readonly #busy = new Set<Link>();
  readonly #waiting: Waiting[] = [];
  readonly #watch: NodeJS.Timeout;
  readonly #options: LinksOptions;

  constructor(options: LinksOptions) {
    this.#options = options;
    const shared = { ...options, nameOf: namer() };
    this.#readers = Array.from({ length: options.readers }, () => new Link(shared));
    this.#writers = Array.from({ length: options.writers }, () => new Link(shared));
    this.#watch = setInterval(() => this.#check(), CHECK_MS).unref();
  }

  /** Throws what kept one of them from connecting. */
  async open(): Promise<void> {
    const opened = await Promise.allSettled([...this.#readers, ...this.#writers].map((link) => link.open()));
    const failed = opened.find((one) => one.status === 'rejected');
    if (!failed) return;
    await this.close();
    throw failed.reason;
  }

  /** On the reading connection that has the least to do. */
  read(sql: string, values?: readonly unknown[]): Promise<Answer> {
    let best = this.#readers[0]!;
    for (const link of this.#readers) if (link.isUp && (!best.isUp || link.pending < best.pending)) best = link;
    return best.query(sql, values);
  }

  /** A connection for one transaction. Throws `StoreError` `unavailable` when none is free in time. */
  acquire(): Promise<Link> | Link {
    const free = this.#writers.find((link) => link.isUp && !this.#busy.has(link));
    if (free) {
      this.#busy.add(free);
      return free;
    }
    if (this.#waiting.length >= MAX_WAITING || !this.#writers.some((link) => link.isUp)) throw noneFree();
    const until = performance.now() + this.#options.statementTimeoutMs;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject, until }));
  }

  release(link: Link): void {
    const next = link.isUp ? this.#waiting.shift() : undefined;
    if (next) next.resolve(link);
    else this.#busy.delete(link);
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all([...this.#readers, ...this.#writers].map((link) => link.close()));
  }

  #check(): void {
    const silenceMs = this.#options.statementTimeoutMs + GRACE_MS;
    for (const link of [...this.#readers, ...this.#writers]) link.checkAlive(silenceMs);
    const now = performance.now();
    const isAway = !this.#writers.some((link) => link.isUp);
    while (this.#waiting[0] && (isAway || this.#waiting[0].until < now)) this.#waiting.shift()!.reject(noneFree());
    for (const link of this.#writers) {
      if (!link.isUp || this.#busy.has(link) || this.#waiting.length === 0) continue;
      this.#busy.add(link);
      this.#waiting.shift()!.resolve(link);
    }
  }
}

function noneFree(): StoreError {
  return new StoreError({ kind: 'unavailable' }, new Error('no connection to Postgres is free'));
}

/** The same name for the same statement; none beyond the first 500. */
function namer(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= MAX_PREPARED) return known;
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}
