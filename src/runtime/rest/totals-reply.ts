import type { IncomingHttpHeaders } from 'node:http';
import { lookUp } from '../../descriptor/look-up.ts';
import { whenKnown } from '../async/maybe-promise.ts';
import type { Engine, Totals } from '../engine/interface/engine.ts';
import { totalsBody, totalsText } from '../engine/lists/totals-text.ts';
import { entityTagOfText, JSON_TYPE, ResourceReply } from './answer.ts';
import { unlessCurrent } from './conditional-reply.ts';
import type { FurtherRequests, Route } from './routes.ts';

type Asked = FurtherRequests['totals'];

/** Binds operations to the totals of an engine's resources. */
export const totalsBinder =
  (engine: Pick<Engine, 'resources'>) =>
  (key: string, operation: string): Route<Asked, never> => {
    const { descriptor, totals } = lookUp(engine.resources, key);
    const { access, read } = lookUp(totals, operation);
    const reply = (found: Totals, headers: IncomingHttpHeaders) => {
      const text = totalsText(found, descriptor);
      const etag = entityTagOfText(text);
      const fields = { 'content-type': JSON_TYPE, etag };
      return unlessCurrent(
        etag,
        headers,
        () => new ResourceReply(200, fields, text, () => totalsBody(found, descriptor)),
      );
    };
    const route: Route<Asked> = {
      action: { resource: key, action: 'list' },
      access,
      answer: ({ params, query }, { caller, headers }) =>
        whenKnown(read({ caller, params, query }), (found) => reply(found, headers)),
    };
    return route as Route<Asked, never>;
  };
