import type { Service } from './service.ts';
import { called, callOf } from './tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

/** What a write has come to: the row or the id, or the code with the places of its faults. */
interface Written {
  readonly value?: Json;
  readonly code?: string;
  /** The names of properties. */
  readonly places?: readonly string[];
  /** The whole answer as text. */
  readonly text: string;
}

/** Writes of the contract `trade` by one protocol. */
export interface TradeWriter {
  readonly protocol: string;
  readonly create: (type: string, input: object) => Promise<Written>;
  readonly update: (type: string, id: string, input: object, version?: string | number) => Promise<Written>;
  readonly delete: (type: string, id: string, version?: string | number) => Promise<Written>;
}

const AS = { sub: 'clerk', scope: 'trade:write' };
const PATHS: Readonly<Record<string, string>> = { Customer: 'customers', Order: 'orders', OrderLine: 'order-lines' };

/** One writer a protocol; versions are those of the conventions, over REST as entity tags. */
export function tradeWriters(service: () => Service): readonly TradeWriter[] {
  return [rest(service), graphql(service), tools(service)];
}

function rest(service: () => Service): TradeWriter {
  const send = async (method: string, path: string, body?: object, version?: string | number): Promise<Written> => {
    const headers = version === undefined ? {} : { 'if-match': `"${version}"` };
    const reply = await service().request(method, `/v1/${path}`, { as: AS, headers, ...(body && { body }) });
    if (reply.status < 300) return { value: reply.body, text: reply.text };
    return { ...faultOf(reply.body.code, reply.body.errors), text: reply.text };
  };
  return {
    protocol: 'REST',
    create: (type, input) => send('POST', `${PATHS[type]}`, input),
    update: (type, id, input, version) => send('PATCH', `${PATHS[type]}/${encodeURIComponent(id)}`, input, version),
    delete: (type, id, version) => send('DELETE', `${PATHS[type]}/${encodeURIComponent(id)}`, undefined, version),
  };
}

const FIELDS: Readonly<Record<string, string>> = {
  Customer: 'id version companyName tier email address visits points settings joined calledAt',
  Order: 'id version shopCode number customer { id } placed freight',
  OrderLine: 'id version lineNo unitPrice packedAt tags order { id } replaces { id }',
};

function graphql(service: () => Service): TradeWriter {
  const send = async (field: string, args: Record<string, Json>, types: string, selected = ''): Promise<Written> => {
    const given = Object.keys(args).map((name) => `${name}: $${name}`);
    const query = `mutation (${types}) { ${field}(${given}) ${selected} }`;
    const reply = await service().graphql(query, { as: AS, variables: args });
    const [error] = reply.errors ?? [];
    if (!error) return { value: reply.data[field], text: reply.text };
    return { ...faultOf(error.extensions.code, error.extensions.errors), text: reply.text };
  };
  const versionType = (type: string): string => (type === 'Order' ? 'Int' : 'String');
  const versioned = (type: string, ifVersion?: string | number) =>
    ifVersion === undefined
      ? { args: {}, types: '' }
      : { args: { ifVersion }, types: `, $ifVersion: ${versionType(type)}` };
  return {
    protocol: 'GraphQL',
    create: (type, input) => send(`create${type}`, { input }, `$input: ${type}Input!`, `{ ${FIELDS[type]} }`),
    update(type, id, input, ifVersion) {
      const { args, types } = versioned(type, ifVersion);
      return send(
        `update${type}`,
        { id, input, ...args },
        `$id: ID!, $input: ${type}Patch!${types}`,
        `{ ${FIELDS[type]} }`,
      );
    },
    delete(type, id, ifVersion) {
      const { args, types } = versioned(type, ifVersion);
      return send(`delete${type}`, { id, ...args }, `$id: ID!${types}`);
    },
  };
}

function tools(service: () => Service): TradeWriter {
  const send = async (name: string, args: object): Promise<Written> => {
    const reply = await service().request('POST', '/mcp', { body: callOf(name, args), as: AS });
    const { value, isError } = called(reply);
    return isError ? { ...faultOf(value.code, value.errors), text: reply.text } : { value, text: reply.text };
  };
  const idOf = (type: string, id: string): object => ({ [`${type.charAt(0).toLowerCase()}${type.slice(1)}Id`]: id });
  const versioned = (ifVersion?: string | number): object => (ifVersion === undefined ? {} : { ifVersion });
  return {
    protocol: 'MCP',
    create: (type, input) => send(`create${type}`, { input }),
    update: (type, id, input, version) => send(`update${type}`, { ...idOf(type, id), input, ...versioned(version) }),
    delete: (type, id, version) => send(`delete${type}`, { ...idOf(type, id), ...versioned(version) }),
  };
}

const faultOf = (code: string, errors: readonly Record<string, string>[] = []) => ({
  code,
  places: errors.map(({ pointer, argument }) => (pointer ?? argument ?? '').split(/[./]/).at(-1) ?? ''),
});
