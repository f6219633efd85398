import type { Observer } from '../../telemetry/observer.ts';
import type { Endpoint, Prepared } from './endpoint.ts';
import type { GraphqlResult } from './request.ts';

/** Observes each operation of an endpoint, by its name. */
export function observedEndpoint(endpoint: Endpoint, observer: Observer): Endpoint {
  return {
    ...endpoint,
    execute: (prepared, session) =>
      observer.observe(unitOf(prepared), () => endpoint.execute(prepared, session), isFailed),
    subscribe: (prepared, session, subscriber) =>
      observer.observe(unitOf(prepared), () => endpoint.subscribe(prepared, session, subscriber), isFailed),
  };
}

const unitOf = ({ kind, operationName = 'anonymous' }: Prepared) =>
  ({ kind: 'operation', action: kind, subject: operationName }) as const;

/** Errors that callers cause are not failures of the operation. */
const isFailed = (result: GraphqlResult | object): boolean =>
  'errors' in result && (result as GraphqlResult).errors!.some(({ extensions }) => Number(extensions['status']) >= 500);
