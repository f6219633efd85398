import { LoadConnection, type RawResponse } from './connection.ts';
import { head } from './request-text.ts';
import { checkRestEquality } from './rest-equality.ts';
import { type Material, productPath, type Scenario } from './scenario.ts';

const COMPARED_FIELDS = ['content-type', 'etag', 'location', 'www-authenticate'];

/**
 * Checks that both servers answer the same in each scenario, and that REST has the same data as GraphQL: otherwise
 * their speed cannot be compared. Throws on the first difference.
 */
export async function checkEquality(
  scenarios: readonly Scenario[],
  material: Material,
  ports: readonly [tested: number, reference: number],
): Promise<Map<string, RawResponse>> {
  const responses = new Map<string, RawResponse>();
  for (const scenario of scenarios) {
    const asked = await Promise.all(ports.map(async (port) => ({ port, material: await materialFor(port, material) })));
    const { tested, difference } = await answersTo(scenario, asked);
    if (difference !== undefined) throw new Error(`${scenario.name}: ${difference}`);
    if (scenario.overRest) await checkRestEquality(scenario, material, ports[0], tested.body);
    responses.set(scenario.name, tested);
  }
  return responses;
}

/** The material with the form of the entity tags of a server. */
export async function materialFor(port: number, material: Material): Promise<Material> {
  const { head: fields } = await ask(port, head('GET', productPath(material, 0)));
  return { ...material, form: /\.[\w-]+(?=")/.exec(fieldOf(fields, 'etag') ?? '')?.[0] ?? '' };
}

/** A server, and what requests to it are made from. */
export interface Asked {
  readonly port: number;
  readonly material: Material;
}

/** The response of the first of two servers, and where that of the other differs. Throws when the first one fails. */
export async function answersTo(
  scenario: Scenario,
  asked: readonly Asked[],
): Promise<{ readonly tested: RawResponse; readonly difference: string | undefined }> {
  const [tested, reference] = (await Promise.all(
    asked.map(({ port, material }) => ask(port, scenario.request(material, 0))),
  )) as [RawResponse, RawResponse];
  if (tested.status !== scenario.status || scenario.isGood?.(tested.body) === false)
    throw new Error(`${scenario.name}: ${tested.head}${tested.body}`);
  const [left, right] = [comparable(tested), comparable(reference)];
  return { tested, difference: left === right ? undefined : firstDifference(left, right) };
}

function firstDifference(left: string, right: string): string {
  let i = 0;
  while (left[i] === right[i]) i++;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, i - 100), i + 100));
  return `the servers differ\n${around(left)}\n${around(right)}`;
}

async function ask(port: number, request: string): Promise<RawResponse> {
  const connection = await LoadConnection.open(port);
  const response = await connection.send(request);
  connection.close();
  return response;
}

/** Status, body and relevant header fields, without generated values: ids, times, cursors and hashes. */
function comparable({ status, head, body }: RawResponse): string {
  const fields = COMPARED_FIELDS.map((name) => `${name}: ${fieldOf(head, name)}`);
  const hasLength = fieldOf(head, 'content-length') === String(Buffer.byteLength(body));
  return (
    [status, ...fields, `correct length: ${hasLength}`, withSortedKeys(body)]
      .join('\n')
      .replace(/"requestId":"[\w-]+"/, '"requestId":"<id>"')
      .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '<uuid>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/^(etag: )"[\w-]{27}"/m, '$1<hash>')
      .replace(/^(etag: "\d+)\.[\w-]+/m, '$1')
      .replace(/"nextCursor":"[\w-]+"/, '"nextCursor":"<cursor>"')
      // Moments of a history that the other server does not have.
      .replace(/,"extensions":\{"consistencyToken":"\w+"\}/, '')
  );
}

/** A `jsonb` does not keep the order of keys, so that bodies with another order are equal. */
function withSortedKeys(body: string): string {
  if (body === '') return body;
  return JSON.stringify(JSON.parse(body), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

export function fieldOf(head: string, name: string): string | undefined {
  return new RegExp(`\\r\\n${name}: (.*)`, 'i').exec(head)?.[1];
}
