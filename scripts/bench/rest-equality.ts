import { LoadConnection } from './connection.ts';
import type { Json, Material, Scenario } from './scenario.ts';

/** Of each write anew: over REST it is another one than over GraphQL. */
const MADE_ANEW = new Set(['version', 'updatedAt']);

/** All that a GraphQL answer says is what the counterpart over REST says. Throws on the first difference. */
export async function checkRestEquality(
  { name, overRest }: Scenario,
  material: Material,
  port: number,
  answer: string,
): Promise<void> {
  const bodies: Json[] = [];
  const connection = await LoadConnection.open(port);
  for (const request of overRest!.requests(material, 0)) {
    const { status, head, body } = await connection.send(request);
    if (status !== 200) throw new Error(`${name}, over REST: ${head}${body}`);
    bodies.push(JSON.parse(body));
  }
  connection.close();
  const difference = differenceAt('data', JSON.parse(answer).data, overRest!.dataOf(bodies));
  if (difference !== undefined) throw new Error(`${name}: REST has another value at ${difference}`);
}

/** Path of the first value that the whole does not have. */
function differenceAt(path: string, part: Json, whole: Json): string | undefined {
  if (typeof part !== 'object' || part === null) return part === whole ? undefined : path;
  if (typeof whole !== 'object' || whole === null) return path;
  if (Array.isArray(part) && part.length !== whole.length) return path;
  for (const key of Object.keys(part)) {
    const difference = MADE_ANEW.has(key) ? undefined : differenceAt(`${path}.${key}`, part[key], whole[key]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
