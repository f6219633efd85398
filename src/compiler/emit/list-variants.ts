import type { SampleRequest } from './sample-requests.ts';

/** A list, asked for in another way. */
export interface ListVariant {
  /** What is particular to it. */
  readonly name: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** Parameters that choose no rows. */
const PAGING = new Set(['limit', 'cursor', 'sort', 'count']);
const PAGE = '2';

/** A list filtered and sorted, and the page after the first; `{{cursor}}` stands for the cursor. None of what is no list. */
export function listVariants({ inQuery, method }: SampleRequest): readonly ListVariant[] {
  const of = (name: string) => inQuery.find((parameter) => parameter.name === name);
  if (method !== 'GET' || !of('cursor')) return [];
  const filter = inQuery.find(({ name, value }) => !PAGING.has(name) && value !== '');
  const sort = of('sort');
  const chosen = [filter, sort].flatMap((one) => (one && one.value !== '' ? [[one.name, one.value] as const] : []));
  const limit = of('limit') ? [['limit', PAGE] as const] : [];
  return [
    ...(chosen.length > 0 ? [{ name: 'filtered and sorted', query: [...chosen, ...limit] }] : []),
    { name: 'next page', query: [...limit, ['cursor', '{{cursor}}'] as const] },
  ];
}
