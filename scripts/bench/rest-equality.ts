import { LoadConnection } from './connection.ts';
import type { Json, Material, Scenario } from './scenario.ts';

/** Properties that every write changes, so that REST and other protocols differ. */
const CHANGED_BY_WRITES = new Set(['version', 'updatedAt']);

/** Checks that the REST counterpart returns all the data of a response over another protocol. Throws on the first difference. */
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
  const difference = differenceAt('data', overRest!.answered(JSON.parse(answer)), overRest!.dataOf(bodies));
  if (difference !== undefined) throw new Error(`${name}: REST has a different value at ${difference}`);
}

/** The path of the first value of `part` that `whole` does not have. */
function differenceAt(path: string, part: Json, whole: Json): string | undefined {
  if (typeof part !== 'object' || part === null) return part === whole ? undefined : path;
  if (typeof whole !== 'object' || whole === null) return path;
  if (Array.isArray(part) && part.length !== whole.length) return path;
  for (const key of Object.keys(part)) {
    const difference = CHANGED_BY_WRITES.has(key) ? undefined : differenceAt(`${path}.${key}`, part[key], whole[key]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
