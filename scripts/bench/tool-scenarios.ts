import { head, JSON_TYPE, withBody } from './request-text.ts';
import { type Json, type Material, productAt, productPath, type RestCounterpart, type Scenario } from './scenario.ts';

/** Calls of tools over the Model Context Protocol, which only Lockstep serves. */
export const toolReads: readonly Scenario[] = [
  tool('tool one', 'getProduct', (material, i) => ({ productId: productAt(material, i).id }), {
    requests: (material, i) => [head('GET', productPath(material, i))],
    dataOf: ([product]) => product,
  }),
];

/** The same page repeatedly, for a server that caches pages. */
export const cachedTool: Scenario = tool('cached tool', 'listProducts', () => ({}), {
  requests: ({ base }) => [head('GET', `${base}/products`)],
  dataOf: ([page]) => page,
});

/** Refusals have the same status as success, so the body is checked as well. */
function tool(
  name: string,
  called: string,
  argumentsOf: (material: Material, i: number) => object,
  overRest: Pick<RestCounterpart, 'requests' | 'dataOf'>,
): Scenario {
  return {
    name,
    status: 200,
    isGood: (body) => body.includes('"content":[') && !body.includes('"isError":'),
    isOwn: true,
    request(material, i) {
      const params = { name: called, arguments: argumentsOf(material, i) };
      return withBody('POST', '/mcp', undefined, JSON_TYPE, {
        jsonrpc: '2.0',
        id: i,
        method: 'tools/call',
        params,
      });
    },
    overRest: { ...overRest, answered: ({ result }: Json) => JSON.parse(result.content[0].text) },
  };
}
