import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { FRAME, type Memory, type Work } from '../support/messages.ts';

// Loaded into the server by `--import`: replies to `work`, `cpu` and `memory`.

const SAMPLE_MS = 5;
const COLLECTIONS = 4;
/** More than the probe and the flood keep open. */
const MANY_SOCKETS = 20;
const WAIT_MS = 100;
const MOST_WAITS = 120;

const counts = { longestParsed: 0, mostBufferBytes: 0, mostParts: 0, mostUnsent: 0, mostKept: 0 };

/** The most of something that there is in one turn of the event loop. */
class MostATurn {
  most = 0;
  #count = 0;

  add(): void {
    if (this.#count++ === 0)
      setImmediate(() => {
        this.#count = 0;
      });
    this.most = Math.max(this.most, this.#count);
  }
}

const [frames, writes, parts, heads] = [new MostATurn(), new MostATurn(), new MostATurn(), new MostATurn()];

function countFrames(): void {
  const { emit } = WebSocket.prototype;
  WebSocket.prototype.emit = function (event: string, ...values: unknown[]) {
    if (event === 'message') frames.add();
    return Reflect.apply(emit, this, [event, ...values]);
  };
}

function countWrites(): void {
  const { write } = Socket.prototype;
  Socket.prototype.write = function (...values: unknown[]) {
    writes.add();
    return Reflect.apply(write, this, values);
  };
}

function watchParsing(): void {
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    if (text.length > counts.longestParsed) counts.longestParsed = text.length;
    return parse(text, reviver);
  };
}

/** Of the body of a request, each time that some of it is taken over from the parser. */
function countParts(): void {
  const counted = new WeakMap<IncomingMessage, number>();
  const { push } = IncomingMessage.prototype;
  IncomingMessage.prototype.push = function (part, encoding) {
    if (part !== null) {
      parts.add();
      const count = (counted.get(this) ?? 0) + 1;
      counted.set(this, count);
      counts.mostParts = Math.max(counts.mostParts, count);
    }
    return push.call(this, part, encoding);
  };
}

/** Of requests; each has one, whether it is answered or not. */
function countHeads(): void {
  const prototype = IncomingMessage.prototype as IncomingMessage & { _addHeaderLines(...values: unknown[]): void };
  const { _addHeaderLines: add } = prototype;
  prototype._addHeaderLines = function (...values) {
    heads.add();
    add.apply(this, values);
  };
}

/** How requests are refused because of the load. */
const OVERLOADED = 503;
/** Ends of answers that are kept until they are asked for. */
const MOST_ANSWERED = 1_000;

let answered: string[] = [];

function answeredNext(what: string): void {
  if (answered.length < MOST_ANSWERED) answered.push(what);
}

function recordAnswers(): void {
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
    if (response.statusCode !== OVERLOADED) answeredNext(request.url ?? '');
  });
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (...values: unknown[]) {
    answeredNext(FRAME);
    return Reflect.apply(send, this, values);
  };
}

const answering = new Set<ServerResponse>();

function watchAnswers(): void {
  subscribe('http.server.request.start', (message) => {
    const { response } = message as { readonly response: ServerResponse };
    answering.add(response);
    counts.mostKept = Math.max(counts.mostKept, answering.size);
    response.once('close', () => answering.delete(response));
  });
}

let sampling: NodeJS.Timeout | undefined;
let isRecording = false;

/** From when its work is first asked for: what others wait for is measured without. */
function sample(): void {
  if (!isRecording) {
    isRecording = true;
    watchAnswers();
    recordAnswers();
  }
  sampling ??= setInterval(() => {
    counts.mostBufferBytes = Math.max(counts.mostBufferBytes, process.memoryUsage().arrayBuffers);
    const unsent = [...answering].reduce((sum, { writableLength }) => sum + writableLength, 0);
    counts.mostUnsent = Math.max(counts.mostUnsent, unsent);
  }, SAMPLE_MS).unref();
}

function endSampling(): void {
  clearInterval(sampling);
  sampling = undefined;
}

/** Until what is left of refused connections has been dropped. */
async function settle(): Promise<void> {
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  for (let i = 0; i < MOST_WAITS && sockets() > MANY_SOCKETS; i++)
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}

async function memory(): Promise<Memory> {
  await settle();
  for (let i = 0; i < COLLECTIONS; i++) {
    gc!();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const peakRssBytes = process.resourceUsage().maxRSS * 1_024;
  return { heapAndExternalBytes: heapUsed + external, rssBytes: rss, peakRssBytes };
}

if (isMainThread && process.send) {
  countFrames();
  countWrites();
  watchParsing();
  countParts();
  countHeads();
  let cpu = process.threadCpuUsage();
  const mainMs = (): number => {
    const { user, system } = process.threadCpuUsage(cpu);
    return (user + system) / 1e3;
  };
  process.on('message', async (message) => {
    if (message === 'memory') process.send!(await memory());
    if (message === 'cpu') {
      // A statement in another thread may take seconds, in which samples would take more than the answer does.
      endSampling();
      process.send!(mainMs());
      cpu = process.threadCpuUsage();
    }
    if (message !== 'work') return;
    sample();
    process.send!({
      mainMs: mainMs(),
      mostFramesATurn: frames.most,
      mostWritesATurn: writes.most,
      mostPartsATurn: parts.most,
      mostHeadsATurn: heads.most,
      answered,
      ...counts,
    } satisfies Work);
    frames.most = 0;
    writes.most = 0;
    parts.most = 0;
    heads.most = 0;
    answered = [];
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0;
    cpu = process.threadCpuUsage();
  });
}
