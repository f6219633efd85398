import type { Page } from '../../engine/interface/engine.ts';
import type { ConnectionOf } from './resolvers.ts';

interface Edge<Row> {
  readonly cursor: string;
  readonly node: Row;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A page as a connection (Relay's GraphQL Cursor Connections Specification). Fields are computed when selected. */
export class Connection<Row> implements ConnectionOf<Row> {
  readonly #page: Page<Row>;
  #nodes: readonly Row[] | undefined;

  constructor(page: Page<Row>) {
    this.#page = page;
  }

  get nodes(): readonly Row[] {
    this.#nodes ??= this.#page.items.map(({ view }) => view);
    return this.#nodes;
  }

  get edges(): readonly Edge<Row>[] {
    const page = this.#page;
    return this.nodes.map((node, i) => new PageEdge(page, node, i));
  }

  get pageInfo(): PageInfo {
    const { items, nextCursor, isPreceded } = this.#page;
    const isEmpty = items.length === 0;
    return {
      hasNextPage: nextCursor !== null,
      hasPreviousPage: isPreceded,
      startCursor: isEmpty ? null : this.#page.cursorOf(0),
      endCursor: isEmpty ? null : (nextCursor ?? this.#page.cursorOf(items.length - 1)),
    };
  }

  /** Only read if it is selected; only then it has been counted. */
  get totalCount(): number {
    return this.#page.totalCount!;
  }

  /** The same. */
  get totalCountIsExact(): boolean {
    return this.#page.totalCountIsExact!;
  }
}

class PageEdge<Row> implements Edge<Row> {
  readonly node: Row;
  readonly #page: Page<Row>;
  readonly #i: number;

  constructor(page: Page<Row>, node: Row, i: number) {
    this.node = node;
    this.#page = page;
    this.#i = i;
  }

  get cursor(): string {
    return this.#page.cursorOf(this.#i);
  }
}
