import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Page } from '../engine/interface/engine.ts';
import type { ResourceTypes } from '../engine/interface/resource-types.ts';
import { type PageForm, pageBody, pageForm, pageText } from '../engine/lists/page-text.ts';
import { entityTagOfText, JSON_TYPE, ResourceReply, type TaggedReply } from './answer.ts';
import type { PageBody } from './routes.ts';

/** A page with its tag. The reply is made for the first caller that has another one. */
export interface RenderedPage<T extends ResourceTypes> {
  readonly etag: string;
  readonly reply: () => TaggedReply<200, PageBody<T>>;
}

/**
 * The list cache may return the same page for many requests: each page is rendered once. `digest`: of the contract, where rows
 * decide what pages show; undefined where code makes them, so that their text alone does.
 */
export function cachedPageReply<T extends ResourceTypes>(
  descriptor: ResourceDescriptor,
  digest: string | undefined,
): (page: Page<T['resource']>) => RenderedPage<T> {
  const form = pageForm(descriptor);
  // Of tables of others, others may write what they like.
  const identityOf = digest === undefined || descriptor.mapped ? undefined : pageIdentity(descriptor, form, digest);
  const render = (page: Page<T['resource']>): RenderedPage<T> => {
    const identity = identityOf?.(page) ?? pageText(page, form);
    const text = identityOf ? undefined : identity;
    const etag = entityTagOfText(identity);
    const headers = { 'content-type': JSON_TYPE, etag };
    let made: ResourceReply<200, PageBody<T>> | undefined;
    const reply = () => {
      made ??= new ResourceReply(200, headers, text ?? pageText(page, form), () => pageBody(page, form) as PageBody<T>);
      return made as TaggedReply<200, PageBody<T>>;
    };
    return { etag, reply };
  };
  return (page) => {
    // A WeakMap would keep every page until the old generation is collected.
    page.rendered.rest ??= render(page);
    return page.rendered.rest as RenderedPage<T>;
  };
}

/**
 * A text that two pages share only if all that they show is the same: a row is what its version and its view have made of it, and
 * a row with an id that was deleted has another time.
 */
function pageIdentity({ properties }: ResourceDescriptor, { names, pagesBack }: PageForm, digest: string) {
  const [id, version, updatedAt] = ['id', 'version', names.updatedAt].map((name) =>
    properties.findIndex((property) => property.name === name),
  ) as [number, number, number];
  return (page: Page<unknown>): string => {
    const { items, nextCursor, totalCount, totalCountIsExact } = page;
    const previousCursor = pagesBack ? page.previousCursor : null;
    let text = digest + JSON.stringify([nextCursor, previousCursor, totalCount, totalCountIsExact]);
    for (const { row, viewTag = '' } of items) {
      const name = String(row[id]);
      text += ` ${row[version]} ${row[updatedAt]} ${viewTag} ${name.length} ${name}`;
    }
    return text;
  };
}
