import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { ListCall, PathParams } from '../engine/interface/call.ts';
import type { Engine, Page, ResourceActions } from '../engine/interface/engine.ts';
import { pageForm, pageText } from '../engine/lists/page-text.ts';
import { formOfText } from '../engine/resource/row-codec.ts';
import { entityTagOf, entityTagOfText, JSON_TYPE, ResourceReply, type TaggedReply } from './answer.ts';
import { unlessCurrent } from './conditional-reply.ts';
import type { RouteContext } from './routes.ts';

/** A request with `include`, whose query no longer has it. */
interface AskedIncluding {
  readonly params: PathParams;
  readonly query: ListCall['query'];
  readonly names: readonly string[];
}

export type AnswerIncluding<Body> = (asked: AskedIncluding, context: RouteContext) => Promise<Conditional<Body>>;

export type Conditional<Body> = TaggedReply<200, Body> | TaggedReply<304, undefined>;

/** One row with what a request includes. The tag names all of it; writes compare the version in it alone. */
export function includingEntity<Row>(
  engine: Pick<Engine, 'include'>,
  { descriptor, get }: Pick<ResourceActions<Row>, 'descriptor' | 'get'>,
): AnswerIncluding<Row> {
  return async ({ params, names }, { caller, headers }) => {
    const include = engine.include({ resource: descriptor.key, names, caller });
    const entity = await get({ caller, params });
    const [json = ''] = await include([entity]);
    const { version, viewTag } = entity;
    return replyWith(json, entityTagOf({ version, viewTag, form: formOfText(json) }), headers);
  };
}

/** A page with what a request includes, of which the server keeps nothing. */
export function includingPage<Body>(
  engine: Pick<Engine, 'include'>,
  descriptor: ResourceDescriptor,
  list: (call: ListCall) => MaybePromise<Page<unknown>>,
): AnswerIncluding<Body> {
  const form = pageForm(descriptor);
  return async ({ params, query, names }, { caller, headers }) => {
    const include = engine.include({ resource: descriptor.key, names, query, caller });
    const page = await list({ caller, params, query });
    const text = pageText(page, form, await include(page.items));
    return replyWith(text, entityTagOfText(text), headers);
  };
}

function replyWith<Body>(text: string, etag: string, headers: RouteContext['headers']): Conditional<Body> {
  const fields = { 'content-type': JSON_TYPE, etag };
  const render = () => new ResourceReply<200, Body>(200, fields, text, () => JSON.parse(text));
  return unlessCurrent(etag, headers, () => render() as TaggedReply<200, Body>);
}
