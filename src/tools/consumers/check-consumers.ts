import { buildSchema, Kind, specifiedRules, validate } from 'graphql';
import { type Finding, type Location, suggestion } from '../../compiler/findings/index.ts';
import { judged, notRun, type Result } from '../../compiler/gate/index.ts';
import type { ContractModel } from '../../compiler/model/index.ts';
import { CONSUMERS } from '../../compiler/sdl/index.ts';
import { findOperation, passedBy } from './call-values.ts';
import { type Call, type Consumer, documentFault, type Registered } from './read-consumers.ts';

/** Operations of a consumer are sent one by one: they may have the same name, or none, and share fragments. */
const OF_ONE_REQUEST = new Set(['LoneAnonymousOperationRule', 'UniqueOperationNamesRule', 'NoUnusedFragmentsRule']);
const RULES = specifiedRules.filter(({ name }) => !OF_ONE_REQUEST.has(name));
/** In the place of a schema that a contract does not have. */
const NO_SCHEMA = 'type Query { none: Int }';

/** Whether the contract has everything that registered consumers send and call. */
export function checkConsumers(registered: Registered | undefined, model: ContractModel): Result {
  if (!registered) return notRun(`no consumer is registered in ${CONSUMERS}/`);
  const { consumers, findings } = registered;
  const found = consumers.flatMap((consumer) => [
    ...documentFaults(consumer, model),
    ...consumer.calls.flatMap((call) => callFaults(call, model)),
  ]);
  const names = consumers.map(({ name }) => name).join(', ');
  return judged([...findings, ...found], `documents and calls of ${names}`);
}

function documentFaults({ definitions }: Consumer, { graphql }: ContractModel): readonly Finding[] {
  if (definitions.length === 0) return [];
  const schema = buildSchema(graphql?.sdl ?? NO_SCHEMA, { assumeValidSDL: true });
  return validate(schema, { kind: Kind.DOCUMENT, definitions }, RULES).map(documentFault);
}

/** The lists of a call, and where their entries stand. */
const LISTS = { parameters: 'parameters', reads: 'answers', sends: 'body' } as const;
const POINTER = 'It is a JSON pointer, with an index for any entry of a list: `/data/0/name`.';

function callFaults(call: Call, model: ContractModel): readonly Finding[] {
  const operation = findOperation(model, call.operation);
  const ids = model.operations.map(({ operationId }) => operationId);
  if (!operation) return [unknown(`operation \`${call.operation}\``, suggestion(call.operation, ids), call.locate())];
  const names = operation.parameters.map(({ name }) => name);
  const isThere = (list: keyof typeof LISTS, entry: string): boolean =>
    list === 'parameters'
      ? names.includes(entry) || names.includes(entry.replace(/\[.*$/, ''))
      : passedBy(model, operation, list, entry).through.length > 0;
  return (['parameters', 'reads', 'sends'] as const).flatMap((list) =>
    (call[list] ?? []).flatMap((entry, at) => {
      const what = `\`${entry}\` in the ${LISTS[list]} of \`${operation.operationId}\``;
      const hint = list === 'parameters' ? suggestion(entry, names) : POINTER;
      return isThere(list, entry) ? [] : [unknown(what, hint, call.locate(list, at))];
    }),
  );
}

const unknown = (what: string, hint: string, location: Location): Finding => ({
  rule: 'consumer-name',
  severity: 'error',
  message: `There is no ${what}.`,
  hint,
  location,
});
