import { LoadConnection } from './connection.ts';
import type { Material, Scenario } from './scenario.ts';
import { cachedList, deepPage, scenarios } from './scenarios.ts';

/** What a load process is asked to do. */
export interface LoadOrder {
  readonly scenario: string;
  /** By its counterpart over REST. */
  readonly overRest: boolean;
  readonly material: Material;
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Number of the first request, so that no run repeats another's. */
  readonly first: number;
}

export interface LoadResult {
  readonly durationMs: number;
  /** Milliseconds from sending a request to having its whole response, one entry each; several over REST count as one. */
  readonly latencies: Float64Array;
  /** Responses of another status than the scenario's, and those that are no good. */
  readonly unexpected: number;
}

/** A process of its own: the load shares no event loop with a server, nor with what reports. */
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
  const scenario = [...scenarios, cachedList, deepPage].find(({ name }) => name === order.scenario)!;
  const exchange = order.overRest ? overRest(scenario, order.material) : direct(scenario, order.material);
  const connections = await Promise.all(
    Array.from({ length: order.connections }, () => LoadConnection.open(order.port)),
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

/** Sends the `i`th of a scenario. Resolves with whether the answer is the one asked for. */
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
