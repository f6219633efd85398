import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Port } from './team.ts';
import type { WorkerProcess } from './worker.ts';

/** The environment variable with the index of a worker. */
export const WORKER_INDEX = 'LOCKSTEP_WORKER';

/** What goes over the channel between two processes, which may carry messages of others, too. */
interface Envelope<Message> {
  readonly lockstep?: readonly Message[];
}

/** Starts this program once more, as a worker. The primary accepts all connections, and hands them to the workers in turn. */
export function forkWorker(index: number, environment: Readonly<Record<string, string>>): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  try {
    return processOf(cluster.fork({ ...environment, [WORKER_INDEX]: String(index) }));
  } catch (error) {
    return notStarted(error);
  }
}

/** Without memory Node throws; for other reasons it reports a process that has no number. */
function notStarted(error: unknown): WorkerProcess {
  return {
    pid: undefined,
    send() {},
    onBatch() {},
    onLost() {},
    onEnd: (ended) => void setImmediate(ended, error instanceof Error ? error.message : String(error), false),
    kill() {},
  };
}

function processOf(worker: ClusterWorker): WorkerProcess {
  return {
    pid: worker.process.pid,
    send(batch) {
      const envelope: Envelope<ToWorker> = { lockstep: batch };
      if (worker.isConnected()) worker.send(envelope, ignoreLoss);
    },
    onBatch(receive) {
      worker.on('message', ({ lockstep }: Envelope<FromWorker>) => lockstep && receive(lockstep));
    },
    onLost(lost) {
      worker.on('disconnect', lost);
    },
    onEnd(ended) {
      let hasEnded = false;
      const end = (how: string, isClean: boolean): void => {
        if (!hasEnded) ended(how, isClean);
        hasEnded = true;
      };
      worker.on('exit', (code, signal) => end(signal ?? `code ${code}`, code === 0));
      // There is no process where it cannot be started.
      worker.on('error', (error) => worker.isDead() || worker.process.pid !== undefined || end(error.message, false));
    },
    kill: () => worker.process.kill('SIGKILL'),
  };
}

/** The channel of a worker to its primary. */
export function primaryPort(): Port<FromWorker, ToWorker> {
  // Node would end this process, in the middle of its requests, as soon as the primary is gone.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  return {
    send(batch) {
      const envelope: Envelope<FromWorker> = { lockstep: batch };
      if (process.connected) process.send?.(envelope, ignoreLoss);
    },
    onBatch(receive) {
      process.on('message', ({ lockstep }: Envelope<ToWorker>) => lockstep && receive(lockstep));
    },
    onLost(lost) {
      process.on('disconnect', lost);
    },
  };
}

/** Either end hears of it by the end of the channel. */
const ignoreLoss = (): void => {};
