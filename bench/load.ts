import { LoadConnection } from './connection.ts';
import { deepPage, type Material, type Scenario, scenarios } from './scenarios.ts';

/** What a load process is asked to do. */
export interface LoadOrder {
  readonly scenario: string;
  readonly material: Material;
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Number of the first request, so that no run repeats another's. */
  readonly first: number;
}

export interface LoadResult {
  readonly durationMs: number;
  /** Milliseconds from sending a request to having its whole response, one entry each. */
  readonly latencies: Float64Array;
  /** Responses of another status than the scenario's. */
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
  const scenario = [...scenarios, deepPage].find(({ name }) => name === order.scenario)!;
  const connections = await Promise.all(
    Array.from({ length: order.connections }, () => LoadConnection.open(order.port)),
  );
  const latencies: number[] = [];
  const tally = { next: order.first, unexpected: 0 };
  const start = performance.now();
  const end = start + order.durationMs;
  await Promise.all(
    connections.map((connection) => keepBusy(connection, scenario, order.material, tally, latencies, end)),
  );
  const durationMs = performance.now() - start;
  for (const connection of connections) connection.close();
  return { durationMs, latencies: Float64Array.from(latencies), unexpected: tally.unexpected };
}

async function keepBusy(
  connection: LoadConnection,
  scenario: Scenario,
  material: Material,
  tally: { next: number; unexpected: number },
  latencies: number[],
  end: number,
): Promise<void> {
  for (let now = performance.now(); now < end; ) {
    const sent = now;
    const { status } = await connection.send(scenario.request(material, tally.next++));
    now = performance.now();
    latencies.push(now - sent);
    if (status !== scenario.status) tally.unexpected++;
  }
}
