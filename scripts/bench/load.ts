import { LoadConnection } from './connection.ts';
import { layoutScenarios } from './layout-scenarios.ts';
import { mappedPages, mappedScenarios } from './mapped-scenarios.ts';
import { askingBy, type PeerOrder } from './peers.ts';
import type { Material, Scenario } from './scenario.ts';
import { batchedCreates, cachedList, deepPage, scenarios } from './scenarios.ts';
import { cachedTool } from './tool-scenarios.ts';

/** A message that makes a load process send requests. */
export interface LoadOrder {
  readonly scenario: string;
  /** Whether to send the scenario's REST counterpart. */
  readonly overRest: boolean;
  readonly material: Material;
  readonly port: number;
  readonly host?: string | undefined;
  /** How a peer is asked; undefined for what the scenario itself asks. */
  readonly peer?: PeerOrder | undefined;
  readonly connections: number;
  readonly durationMs: number;
  /** Number of the first request; runs do not repeat numbers. */
  readonly first: number;
}

export interface LoadResult {
  readonly durationMs: number;
  /**
   * Milliseconds from sending each request to receiving its complete response; a counterpart's requests count as one.
   */
  readonly latencies: Float64Array;
  /** Number of responses with another status than the scenario's, or with an unexpected body. */
  readonly unexpected: number;
}

/** Runs in a separate process, so that the load does not share an event loop with a server or with the report. */
process.on('message', (order: LoadOrder) => {
  load(order).then(
    (result) => process.send!(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());

async function load(order: LoadOrder): Promise<LoadResult> {
  const known = [
    ...scenarios,
    ...layoutScenarios,
    ...mappedScenarios,
    ...mappedPages,
    batchedCreates,
    cachedList,
    cachedTool,
    deepPage,
  ].find(({ name }) => name === order.scenario)!;
  const { peer } = order;
  const scenario = peer ? { name: known.name, ...askingBy(peer.asked, new URL(peer.url)) } : known;
  const exchange = order.overRest ? overRest(scenario, order.material) : direct(scenario, order.material);
  const connections = await Promise.all(
    Array.from({ length: order.connections }, () => LoadConnection.open(order.port, order.host)),
  );
  const latencies: number[] = [];
  const tally = { next: order.first, unexpected: 0 };
  const start = performance.now();
  const end = start + order.durationMs;
  await Promise.all(connections.map((connection) => keepBusy(connection, exchange, tally, latencies, end)));
  const durationMs = performance.now() - start;
  for (const connection of connections) connection.close();
  return { durationMs, latencies: Float64Array.from(latencies), unexpected: tally.unexpected };
}

/** Sends the `i`th request of a scenario. Resolves to whether the response is as expected. */
type Exchange = (connection: LoadConnection, i: number) => Promise<boolean>;

function direct(scenario: Scenario, material: Material): Exchange {
  return async (connection, i) => {
    const { status, body } = await connection.send(scenario.request(material, i));
    return status === scenario.status && (scenario.isGood?.(body) ?? true);
  };
}

function overRest(scenario: Scenario, material: Material): Exchange {
  return async (connection, i) => {
    let isGood = true;
    for (const request of scenario.overRest!.requests(material, i))
      isGood = (await connection.send(request)).status === 200 && isGood;
    return isGood;
  };
}

async function keepBusy(
  connection: LoadConnection,
  exchange: Exchange,
  tally: { next: number; unexpected: number },
  latencies: number[],
  end: number,
): Promise<void> {
  for (let now = performance.now(); now < end; ) {
    const sent = now;
    const isGood = await exchange(connection, tally.next++);
    now = performance.now();
    latencies.push(now - sent);
    if (!isGood) tally.unexpected++;
  }
}
