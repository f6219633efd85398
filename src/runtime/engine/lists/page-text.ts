import { type ConventionNames, conventionNames } from '../../../descriptor/convention-names.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Page } from '../interface/engine.ts';

/** What the pages of a list look like in JSON. */
export interface PageForm {
  readonly names: ConventionNames;
  /** They have the cursor of the one before. */
  readonly pagesBack: boolean;
}

export const pageForm = ({ nameCase, list }: ResourceDescriptor): PageForm => ({
  names: conventionNames(nameCase),
  pagesBack: list?.pagesBack === true,
});

interface PageValue<T> {
  readonly data: T[];
  readonly page: Readonly<Record<string, unknown>>;
}

/** A page as a value. */
export function pageBody<T>(page: Page<T>, { names, pagesBack }: PageForm): PageValue<T> {
  const { items, nextCursor, totalCount, totalCountIsExact } = page;
  const info = {
    [names.nextCursor]: nextCursor,
    ...(pagesBack && { [names.previousCursor]: page.previousCursor }),
    ...(totalCount !== undefined && { [names.totalCount]: totalCount }),
    ...(totalCountIsExact !== undefined && { [names.totalCountIsExact]: totalCountIsExact }),
  };
  return { data: items.map(({ value }) => value), page: info };
}

/** Joins the texts that were rendered when the rows were written, or others of the rows; nothing is parsed or rendered again. */
export function pageText(page: Page<unknown>, { names, pagesBack }: PageForm, texts?: readonly string[]): string {
  const { items, nextCursor, totalCount, totalCountIsExact } = page;
  let data = '';
  if (texts) data = texts.join();
  else for (const item of items) data += data === '' ? item.json : `,${item.json}`;
  const cursor = JSON.stringify(nextCursor);
  const previous = pagesBack ? `,"${names.previousCursor}":${JSON.stringify(page.previousCursor)}` : '';
  const count = totalCount === undefined ? '' : `,"${names.totalCount}":${totalCount}`;
  const exact = totalCountIsExact === undefined ? '' : `,"${names.totalCountIsExact}":${totalCountIsExact}`;
  return `{"data":[${data}],"page":{"${names.nextCursor}":${cursor}${previous}${count}${exact}}}`;
}
