import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';
import type { ConstantResponse } from './bare-http.ts';
import type { BenchOptions } from './bench-options.ts';
import { measureCachedLists } from './cached-list.ts';
import { BARE_HTTP, databasesFor, isServed, LEAN, type Pair, servicesOn } from './contestants.ts';
import { productsIn, shelfIn } from './database.ts';
import { checkEquality, fieldOf, materialFor } from './equality.ts';
import { type Contestant, contestantsFor, LoadProcess, type Measurement, measure, overRestOf } from './measure.ts';
import { askingBy, checkPeer, peerProcess } from './peers.ts';
import { formatTable } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { cachedList, scenarios } from './scenarios.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { makeToken } from './settings.ts';
import { cachedTool } from './tool-scenarios.ts';

/** Compares Lockstep with a hand-written Fastify service on a copy of the same rows, and with bare `node:http`. */
export async function compare(options: BenchOptions): Promise<void> {
  const databases = await databasesFor(options);
  const servers = await startAll(databases.locations, options);
  const load = new LoadProcess();
  try {
    await run(servers, databases.locations[0], load, options);
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await databases.drop();
  }
}

/** Lockstep, the hand-written services, and bare `node:http` behind them. */
async function startAll(locations: Pair, options: BenchOptions): Promise<ServerProcess[]> {
  const servers: ServerProcess[] = [];
  for (const command of [...servicesOn(locations, options), BARE_HTTP]) servers.push(await startServer(command));
  return servers;
}

async function run(
  servers: readonly ServerProcess[],
  database: DatabaseLocation,
  load: LoadProcess,
  options: BenchOptions,
): Promise<void> {
  const [tested, reference] = servers as [ServerProcess, ServerProcess];
  const bare = servers.at(-1)!;
  const lean = servers.find(({ name }) => name === LEAN);
  for (const { name, startedInMs } of servers)
    console.log(`${name} accepts requests after ${startedInMs.toFixed(0)} ms`);
  const isChosen = ({ name }: Scenario) => options.only.length === 0 || options.only.includes(name);
  const chosen = scenarios.filter(isChosen);
  const token = makeToken();
  const materialNow = async (): Promise<Material> => {
    const products = await productsIn(database, options.rows, 1_000);
    return { base: '/v1', products, token, shelf: await shelfIn(database) };
  };
  const answers = await checkEquality(
    chosen.filter(({ isOwn }) => !isOwn),
    await materialNow(),
    [tested.port, reference.port],
  );
  const own = await checkEquality(
    chosen.filter(({ isOwn }) => isOwn),
    await materialNow(),
    [tested.port, tested.port],
  );
  if (lean)
    await checkEquality(
      chosen.filter((one) => isServed(LEAN, one)),
      await materialNow(),
      [tested.port, lean.port],
    );
  const material = await materialNow();
  const materials = new Map([[tested, await materialFor(tested.port, material)]]);
  console.log(`the servers' responses to ${answers.size} scenarios are identical\n`);
  const all: Measurement[] = [];
  for (const scenario of chosen) {
    const { status, head, body } = (answers.get(scenario.name) ?? own.get(scenario.name))!;
    bare.send({ status, contentType: fieldOf(head, 'content-type') ?? '', body } satisfies ConstantResponse);
    const settings = { ...options, material: (server: ServerProcess) => materials.get(server) ?? material };
    const contestants = [...contestantsIn(scenario, servers), ...(await peersIn(scenario, material, options))];
    const measurements = await measure(load, scenario, contestants, settings);
    console.log(`${formatTable(measurements, namesOf(contestants.slice(1)))}\n`);
    all.push(...measurements);
  }
  const cached = [cachedList, cachedTool].filter(isChosen);
  if (database.kind === 'sqlite') all.push(...(await measureCachedLists(cached, database, material, load, options)));
  const names = new Set(all.map(({ server }) => server));
  names.delete(tested.name);
  console.log(summary(all, tested.name, [...names]));
}

/** The servers that have the scenario, and for a GraphQL scenario also Lockstep over REST. */
function contestantsIn(scenario: Scenario, servers: readonly ServerProcess[]): Contestant[] {
  const contestants = contestantsFor(servers.filter(({ name }) => isServed(name, scenario)));
  return scenario.overRest ? [...contestants, overRestOf(servers[0]!)] : contestants;
}

/** The peers that are asked for the scenario. */
async function peersIn(scenario: Scenario, material: Material, { peers, peerRequests }: BenchOptions) {
  const contestants: Contestant[] = [];
  for (const peer of peers) {
    const asked = peerRequests[peer.name]?.[scenario.name];
    if (!asked) continue;
    const server = peerProcess(peer);
    await checkPeer(server, { name: scenario.name, ...askingBy(asked, peer.url) }, material);
    contestants.push({ name: peer.name, server, overRest: false, peer: { asked, url: peer.url.href } });
  }
  return contestants;
}

const namesOf = (contestants: readonly Contestant[]): string[] => contestants.map(({ name }) => name);

function summary(all: readonly Measurement[], tested: string, references: readonly string[]): string {
  return `summary\n${formatTable(all, references)
    .split('\n')
    .filter((line, i) => i === 0 || line.includes(`  ${tested}  `))
    .join('\n')}`;
}
