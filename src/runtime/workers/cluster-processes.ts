import cluster from 'node:cluster';
import type { FromWorker, ToWorker } from './messages.ts';
import type { WorkerProcess } from './staff.ts';
import type { Port } from './team.ts';

/** The environment variable with the index of a worker. */
export const WORKER_INDEX = 'LOCKSTEP_WORKER';

/** What goes over the channel between two processes, which may carry messages of others, too. */
interface Envelope<Message> {
  readonly lockstep?: readonly Message[];
}

/** Starts this program once more, as a worker. The primary accepts all connections, and hands them to the workers in turn. */
export function forkWorker(index: number, environment: Readonly<Record<string, string>>): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const worker = cluster.fork({ ...environment, [WORKER_INDEX]: String(index) });
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
      worker.on('exit', (code, signal) => ended(signal ?? `code ${code}`, code === 0));
    },
    kill: () => worker.process.kill('SIGKILL'),
  };
}

/** The channel of a worker to its primary. */
export function primaryPort(): Port<FromWorker, ToWorker> {
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
