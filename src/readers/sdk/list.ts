import type { Client } from './client.ts';
import { type ApiCall, type CallOptions, call, type OperationDescriptor } from './operation.ts';

/** A page of a list, as the API answers it. */
export interface AnyPage<Entry> {
  readonly data: readonly Entry[];
  /** In the case of the API's names. */
  readonly page: {
    readonly nextCursor?: string | null | undefined;
    readonly next_cursor?: string | null | undefined;
    /** Where pages go back. */
    readonly previousCursor?: string | null | undefined;
    readonly previous_cursor?: string | null | undefined;
  };
}

/** A list of the API: its entries one by one, each page asked for when it is needed. */
export interface List<Page extends AnyPage<unknown>> extends AsyncIterable<Page['data'][number]> {
  /** One page: the first, or the one at a cursor that another page has given, `nextCursor` or `previousCursor`. */
  page(cursor?: string): ApiCall<Page>;
  /** Page by page. */
  pages(): AsyncIterable<Page>;
}

/** The position in a list, and its parameters. */
export interface ListRequest {
  readonly path?: object;
  readonly query?: object;
}

export function list<Page extends AnyPage<unknown>>(
  client: Client,
  operation: OperationDescriptor,
  { path, query }: ListRequest,
  options?: CallOptions,
): List<Page> {
  const pageAt = (cursor?: string): ApiCall<Page> => {
    const asked = cursor === undefined ? query : { ...query, cursor };
    const parts = { ...(path && { path }), ...(asked && { query: asked }) };
    return call(client, operation, parts, options) as ApiCall<Page>;
  };
  async function* pages(): AsyncGenerator<Page> {
    for (let cursor: string | undefined; ; ) {
      const page = await pageAt(cursor);
      yield page;
      cursor = page.page.nextCursor ?? page.page.next_cursor ?? undefined;
      if (cursor === undefined) return;
    }
  }
  async function* entries(): AsyncGenerator<unknown> {
    for await (const { data } of pages()) yield* data;
  }
  return { page: pageAt, pages, [Symbol.asyncIterator]: entries } as List<Page>;
}
