import { type ConventionNames, conventionNames } from '../../descriptor/convention-names.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Page } from '../engine/interface/engine.ts';
import type { ResourceTypes } from '../engine/interface/resource-types.ts';
import { JSON_TYPE, ResourceReply, type TaggedReply } from './answer.ts';
import { entityTagOfText } from './etag.ts';
import type { PageBody } from './routes.ts';

/** What the pages of a list look like. */
interface PageForm {
  readonly names: ConventionNames;
  /** They have the cursor of the one before. */
  readonly pagesBack: boolean;
}

/** The list cache may return the same page for many requests: each page is rendered once. */
export function cachedPageReply<T extends ResourceTypes>({
  nameCase,
  list,
}: ResourceDescriptor): (page: Page<T['resource']>) => TaggedReply<200, PageBody<T>> {
  const form = { names: conventionNames(nameCase), pagesBack: list?.pagesBack === true };
  return (page) => {
    // A WeakMap would keep every page until the old generation is collected.
    page.rendered ??= pageReply<T>(page, form);
    return page.rendered as TaggedReply<200, PageBody<T>>;
  };
}

function pageReply<T extends ResourceTypes>(page: Page<T['resource']>, form: PageForm): TaggedReply<200, PageBody<T>> {
  const text = pageText(page, form);
  const headers = { 'content-type': JSON_TYPE, etag: entityTagOfText(text) };
  return new ResourceReply(200, headers, text, () => pageBody(page, form)) as TaggedReply<200, PageBody<T>>;
}

function pageBody<T extends ResourceTypes>(page: Page<T['resource']>, { names, pagesBack }: PageForm): PageBody<T> {
  const { items, nextCursor, totalCount, totalCountIsExact } = page;
  const info = {
    [names.nextCursor]: nextCursor,
    ...(pagesBack && { [names.previousCursor]: page.previousCursor }),
    ...(totalCount !== undefined && { [names.totalCount]: totalCount }),
    ...(totalCountIsExact !== undefined && { [names.totalCountIsExact]: totalCountIsExact }),
  };
  return { data: items.map(({ value }) => value), page: info as PageBody<T>['page'] };
}

/** Joins the texts that were rendered when the rows were written; nothing is parsed or rendered again. */
function pageText(page: Page<unknown>, { names, pagesBack }: PageForm): string {
  const { items, nextCursor, totalCount, totalCountIsExact } = page;
  let data = '';
  for (const item of items) data += data === '' ? item.json : `,${item.json}`;
  const cursor = JSON.stringify(nextCursor);
  const previous = pagesBack ? `,"${names.previousCursor}":${JSON.stringify(page.previousCursor)}` : '';
  const count = totalCount === undefined ? '' : `,"${names.totalCount}":${totalCount}`;
  const exact = totalCountIsExact === undefined ? '' : `,"${names.totalCountIsExact}":${totalCountIsExact}`;
  return `{"data":[${data}],"page":{"${names.nextCursor}":${cursor}${previous}${count}${exact}}}`;
}
