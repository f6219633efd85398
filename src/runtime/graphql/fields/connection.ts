import type { Entity, Page } from '../../engine/interface/engine.ts';

interface Edge {
  readonly cursor: string;
  readonly node: object;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A page as a connection (Relay's GraphQL Cursor Connections Specification); what is not selected is not made. */
export class Connection {
  readonly #page: Page;
  readonly #isContinued: boolean;
  #nodes: readonly object[] | undefined;

  /** `isContinued`: the page began behind a cursor. */
  constructor(page: Page, isContinued: boolean) {
    this.#page = page;
    this.#isContinued = isContinued;
  }

  get nodes(): readonly object[] {
    this.#nodes ??= this.#page.items.map(viewOf);
    return this.#nodes;
  }

  get edges(): readonly Edge[] {
    return this.#page.items.map(({ view }, i) => ({ node: view, cursor: this.#page.cursorOf(i) }));
  }

  get pageInfo(): PageInfo {
    const { items, nextCursor } = this.#page;
    const isEmpty = items.length === 0;
    return {
      hasNextPage: nextCursor !== null,
      hasPreviousPage: this.#isContinued,
      startCursor: isEmpty ? null : this.#page.cursorOf(0),
      endCursor: isEmpty ? null : (nextCursor ?? this.#page.cursorOf(items.length - 1)),
    };
  }

  get totalCount(): number | undefined {
    return this.#page.totalCount;
  }
}

const viewOf = ({ view }: Entity): object => view;
