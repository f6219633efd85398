import cluster from 'node:cluster';
import { createHash } from 'node:crypto';
import closeWithGrace from 'close-with-grace';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { ConfigError, systemFault } from '../descriptor/config-error.ts';
import { explainBootFault } from './boot-fault.ts';
import { checkBodyLimits } from './http/body-limits.ts';
import { admitDatabase } from './open-database.ts';
import { serverLog } from './server-log.ts';
import type { Config } from './settings/config.ts';
import { shareOf } from './settings/worker-share.ts';
import type { AnyHandlers } from './wiring.ts';
import { forkWorker, primaryPort, WORKER_INDEX } from './workers/cluster-processes.ts';
import { Hub } from './workers/hub.ts';
import { Lender } from './workers/lender.ts';
import { Staff } from './workers/staff.ts';
import { Team } from './workers/team.ts';

/** What all processes of an instance are started with. */
export interface Start {
  readonly config: Config;
  readonly contract: CompiledContract;
  readonly handlers?: AnyHandlers | undefined;
}

/** Which contract the primary has started with. */
const CONTRACT = 'LOCKSTEP_CONTRACT';

/** How much longer than its workers the primary waits for their end. */
const GRACE_MS = 1_000;

/**
 * Serves with several processes. In the first one, the primary, resolves with the address when all workers serve; rejects as
 * `boot` does, and with `WorkerError`.
 */
export function startWorkers(start: Start): Promise<string> {
  return cluster.isWorker ? startWorker(start) : startPrimary(start);
}

async function startWorker({ config, contract, handlers }: Start): Promise<string> {
  const { workers, requestsPerMinute: requestLimit } = config;
  const place = { index: Number(process.env[WORKER_INDEX]), workers };
  const hasOthers = config.redis !== undefined;
  const team = new Team(primaryPort(), { isFirst: place.index === 0, workers, requestLimit, hasOthers });
  for (const signal of team.signals) process.on(signal, () => team.signalled());
  try {
    if (process.env[CONTRACT] !== digestOf(contract))
      throw new ConfigError(['The contract has changed since the instance was started: start all of it again.']);
    const { boot } = await import('./boot.ts');
    const { url } = await boot({ config: shareOf(config, place), contract, team, ...(handlers && { handlers }) });
    return url;
  } catch (error) {
    await team.fail(explainBootFault(error) ?? (error instanceof Error ? String(error.stack) : String(error)));
    process.exit(1);
  }
}

async function startPrimary({ config, contract }: Start): Promise<string> {
  const log = serverLog(config.logLevel);
  checkBodyLimits(contract, config.workers, (message) => log.warn(message));
  const metrics = await openMetrics(config);
  await admitDatabase(config, contract, log);
  const others = config.redis === undefined ? undefined : await openOthers(config.redis, config, contract, log);
  const hub = new Hub(others);
  const lender = new Lender(config.redis !== undefined);
  const environment = { [CONTRACT]: digestOf(contract) };
  const staff = new Staff({
    count: config.workers,
    endMs: config.shutdownDelayMs + config.shutdownTimeoutMs + GRACE_MS,
    fork: (index) => forkWorker(index, environment),
    log,
    join(worker) {
      hub.join(worker);
      lender.join(worker);
      metrics?.join(worker);
    },
    receive(worker, message) {
      if (message.kind === 'lease') void lender.lend(worker, message);
      else if (message.kind === 'recalled') lender.recalled(worker, message.id, message.count);
      else if (message.kind === 'measured') metrics?.measured(worker, message.id, message.measured);
      else if (message.kind === 'bye') metrics?.measured(worker, undefined, message.measured);
      else hub.receive(worker, message);
    },
    leave(worker, isClean) {
      hub.leave(worker, isClean);
      lender.leave(worker);
      metrics?.leave(worker);
    },
    giveUp(error) {
      log.fatal({ err: error }, 'stopping: no worker comes to serve');
      staff.stop().finally(() => process.exit(1));
    },
  });
  const close = async (): Promise<void> => {
    await staff.stop();
    await others?.close();
    metrics?.close();
  };
  stopWithGrace(staff, close, config, log);
  process.on('SIGUSR2', () => void staff.restart());
  return staff.start();
}

function stopWithGrace(
  staff: Staff,
  close: () => Promise<void>,
  { shutdownDelayMs, shutdownTimeoutMs }: Config,
  log: ReturnType<typeof serverLog>,
): void {
  const delay = shutdownDelayMs + shutdownTimeoutMs + GRACE_MS;
  const onTimeout = (): void => {
    staff.kill();
    process.exit(1);
  };
  const onSecondSignal = (signal: string): void => {
    log.error(`second ${signal}: ending all workers`);
    staff.kill();
  };
  closeWithGrace({ delay, logger: log, skip: ['SIGUSR2'], onTimeout, onSecondSignal }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an uncaught error');
    await close();
  });
}

async function openMetrics({ metricsPort, host }: Config) {
  if (metricsPort === undefined) return undefined;
  const { WholeMetrics } = await import('./workers/whole-metrics.ts');
  const metrics = new WholeMetrics();
  await metrics.listen(host, metricsPort).catch((error: unknown) => {
    throw systemFault('METRICS_PORT', String(metricsPort), error);
  });
  return metrics;
}

async function openOthers(
  url: string,
  { redisPrefix }: Config,
  { resources }: CompiledContract,
  log: ReturnType<typeof serverLog>,
) {
  const { openPeers } = await import('./open-redis.ts');
  return openPeers(url, redisPrefix, resources, log);
}

const digestOf = ({ resources }: CompiledContract): string =>
  createHash('sha256').update(JSON.stringify(resources)).digest('base64url');
